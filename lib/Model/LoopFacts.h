//===- LoopFacts.h - The raw accesses of a tile loop ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What the model was built from, kept for the analysis: the effects of each part of the loop. What
/// depends on the function alone is shared by all of its loops: a kernel may have many.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_LOOPFACTS_H
#define CUDA_PIPELINE_LIB_MODEL_LOOPFACTS_H

#include "AstUtil.h"
#include "CallSites.h"
#include "GivenValues.h"
#include "Values.h"
#include "WrittenNames.h"
#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/TileModel.h"
#include <memory>

namespace cuda_pipeline {

class FunctionFacts {
public:
  FunctionFacts(clang::ASTContext &Context, const clang::FunctionDecl *Function,
                std::shared_ptr<CallSites> Calls, std::shared_ptr<const WrittenNames> Names)
      : Calls(std::move(Calls)), Names(std::move(Names)),
        Collector(Context, Function, this->Calls.get()),
        Values(Context, Collector, Function,
               this->Calls ? &givenValues(Function, Context, *this->Calls) : nullptr),
        HasGoto(hasGoto(Function->getBody())), Function(Function) {}

  const std::shared_ptr<CallSites> Calls;          ///< of the whole file
  const std::shared_ptr<const WrittenNames> Names; ///< of the whole file
  const EffectCollector Collector;
  const FunctionValues Values;
  const bool HasGoto;

  /// What a step wants to know of the function: made by \p Make when the first loop asks. One per
  /// type.
  template <typename T, typename Fn> const T &once(Fn Make) const {
    std::shared_ptr<void> &Known = Notes[keyOf<T>()];
    if (!Known)
      Known = std::make_shared<T>(Make());
    return *static_cast<const T *>(Known.get());
  }

  /// What all of its body does.
  const Effects &whole() const {
    struct Whole {
      Effects Of;
    };
    return once<Whole>([&] { return Whole{Collector.collect(Function->getBody())}; }).Of;
  }

private:
  const clang::FunctionDecl *const Function;
  template <typename T> static const char *keyOf() {
    static const char Key = 0;
    return &Key;
  }
  mutable std::map<const char *, std::shared_ptr<void>> Notes;
};

struct LoopFacts {
  std::shared_ptr<const FunctionFacts> Function;
  /// The function's, or of a loop with parts (PoolParts) one that takes these for arrays of their
  /// own. What other loops and the code around have to do with, the function's says.
  const EffectCollector *Collector = nullptr;
  std::unique_ptr<const EffectCollector> OfParts;
  std::shared_ptr<const PoolParts> Parts; ///< null: there are none
  const FunctionValues *Values = nullptr;
  std::optional<FunctionValues> OfBlock; ///< in blocks of the size that is known, or a claim
  bool BlockIsClaim = false;
  Effects Segment[3]; ///< load phase, compute phase, after the trailing barrier
  Effects Condition, Increment, Init;
  /// Variables declared outside of the body and changed by the loop.
  DeclSet<clang::VarDecl> Modified;
  DeclSet<clang::VarDecl> DeclaredInBody;
  /// A `continue` of the loop itself; null: it has none.
  const clang::Stmt *Continue = nullptr;

  /// The array that \p Root is a part of, or itself.
  const clang::ValueDecl *arrayOf(const clang::ValueDecl *Root) const {
    const clang::VarDecl *Array = Parts ? Parts->arrayOf(Root) : nullptr;
    return Array ? Array : Root;
  }
};

} // namespace cuda_pipeline

#endif
