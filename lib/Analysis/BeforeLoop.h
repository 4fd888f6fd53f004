//===- BeforeLoop.h - What runs in front of a loop with no barrier between ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A load that moves in front of a loop's first barrier must not need that barrier: what other
/// threads of the block have written since the barrier before may not be seen yet.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_BEFORELOOP_H
#define CUDA_PIPELINE_LIB_ANALYSIS_BEFORELOOP_H

#include "../Model/Effects.h"
#include "cuda-pipeline/KLoop.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <vector>

namespace cuda_pipeline {

/// An object with a name, in global memory.
bool isObject(const MemoryRoot &R);

/// May what is written through \p W be what is read through \p R?
bool mayAlias(const MemoryRoot &W, const MemoryRoot &R);

/// Statements of one block, from behind: [Begin, End) of Of. Or a single one.
struct StatementRun {
  const clang::Stmt *Single = nullptr;
  const std::vector<const clang::Stmt *> *Of = nullptr;
  size_t Begin = 0, End = 0;
};

/// What runs in front of the loops of one function. Of a block with many loops each has those in
/// front of it before it: they are said as a whole.
class BeforeLoops {
public:
  BeforeLoops(const EffectCollector &Collector, clang::ASTContext &Context)
      : Collector(Collector), Context(Context) {}

  /// The statements that may have run before the loop without a barrier of the block in between.
  /// Where the function has a goto this is not all of them.
  std::vector<StatementRun> runs(const KLoop &Loop);

private:
  const EffectCollector &Collector;
  clang::ASTContext &Context;
  struct Block {
    std::vector<const clang::Stmt *> All;
    llvm::DenseMap<const clang::Stmt *, size_t> Index; ///< the last one, if it is there twice
    bool HasContinue = false;                          ///< of the loop that it is the body of
    std::vector<size_t> Barrier, Case; ///< behind the last one in front of each; 0: there is none
  };
  std::map<const clang::CompoundStmt *, Block> Blocks;
  const Block &blockOf(const clang::CompoundStmt *S);
};

/// What these do.
Effects effectsBefore(const KLoop &Loop, const EffectCollector &Collector,
                      clang::ASTContext &Context);

/// May something that is read by \p Reading have been written, by any thread, since the last
/// barrier in front of the loop? \p Earlier: of effectsBefore(). In a function that is no kernel
/// its callers may have done it, too.
bool mayBeWrittenBefore(const KLoop &Loop, const Effects &Reading, const Effects &Earlier,
                        const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
