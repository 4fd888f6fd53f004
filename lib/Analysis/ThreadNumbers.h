//===- ThreadNumbers.h - Which number each thread of a block has ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `threadIdx.y * 16 + threadIdx.x` as a polynomial in the thread's indices, the block's extents
/// and, if there is one, the counter of a loop: enough to say that the threads of a block have all
/// numbers from 0 to one that is known.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_THREADNUMBERS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_THREADNUMBERS_H

#include "../Model/Values.h"
#include "cuda-pipeline/GpuTarget.h"
#include <array>
#include <map>
#include <optional>
#include <string>

namespace cuda_pipeline {

class ThreadNumber {
public:
  /// None: it is something else. \p Counter: counts as an unknown of its own; may be null.
  static std::optional<ThreadNumber> of(const clang::Expr *E, const FunctionValues &Values,
                                        const clang::VarDecl *Counter = nullptr);

  bool operator==(const ThreadNumber &O) const { return Terms == O.Terms; }
  bool isConstant() const { return Terms.empty() || (Terms.size() == 1 && Terms.count({})); }
  int64_t constant() const;
  ThreadNumber timesConstant(int64_t N) const { return times(number(N)); }
  /// What the counter is multiplied by, which has nothing of the thread in it; the rest.
  std::optional<std::pair<ThreadNumber, ThreadNumber>> splitAtCounter() const;

  /// Blocks in which the threads have all numbers from 0 to in front of some number.
  struct Blocks {
    bool Any = false; ///< all of them have
    /// Blocks whose first extents are these; 0: as many as it likes.
    std::array<unsigned, 3> Extents = {0, 0, 0};
    std::string test() const; ///< "blockDim.x == 16 && blockDim.y == 8"; empty: any block will do
  };
  /// Where they have all from 0 to in front of \p Number, which is no thread's own, and no others.
  /// \p Shape: of the block, if it is known.
  std::optional<Blocks> covers(const ThreadNumber &Number, const LaunchShape &Shape) const;

private:
  /// x, y, z of threadIdx; X, Y, Z of blockDim; i for the counter: sorted.
  std::map<std::string, int64_t> Terms;
  void add(const std::string &Of, int64_t By);
  static ThreadNumber number(int64_t N);
  static ThreadNumber one(const char *Of);
  ThreadNumber times(const ThreadNumber &O) const;
  ThreadNumber plus(const ThreadNumber &O, int64_t Sign) const;
  static std::optional<ThreadNumber> ofValue(const clang::Expr *E, const FunctionValues &Values,
                                             const clang::VarDecl *Counter, unsigned Depth);
  int64_t at(const std::array<unsigned, 3> &Thread, const std::array<unsigned, 3> &Block) const;
  bool hasAllIn(const std::array<unsigned, 3> &Block, int64_t Number) const;
};

} // namespace cuda_pipeline

#endif
