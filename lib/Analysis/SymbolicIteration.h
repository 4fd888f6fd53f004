//===- SymbolicIteration.h - One turn of the tile loop, for all threads ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Runs the body of the loop once with symbols in place of numbers, and notes which bytes of which shared
/// array every access touches: its access map, as isl sets. There are three kinds of symbols:
///
///   Uniform   has one value for the block in this turn: kernel parameters, blockIdx, the loop's own
///             counter, the extents of the block where they are not known.
///   Range     takes every value that its set allows: threadIdx.x, .y and .z, counters of inner loops.
///   Private   has some value, in each thread and each turn of an inner loop: what is loaded from memory, what
///             is not quasi-affine. A condition that is not quasi-affine is such a symbol, 0 or 1, and
///             the same condition is the same symbol.
///
/// What a phase may touch is then the projection along Range and Private symbols; what it does touch for
/// certain holds for every value of the Private ones (docs/soundness.md, rule 3). Integers are those of
/// C++: signed arithmetic does not overflow, unsigned arithmetic and conversions are followed where
/// they are shown not to wrap, division truncates.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLICITERATION_H
#define CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLICITERATION_H

#include "../Model/LoopFacts.h"
#include "Isl.h"
#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

class Uniformity;

/// An access to a shared array.
struct MappedAccess {
  const clang::VarDecl *Array = nullptr;
  const clang::Expr *Where = nullptr;
  unsigned Segment = 0;     ///< 0: load phase, 1: compute phase, 2: behind the trailing barrier
  bool Read = false, Write = false;
  IslSet When;              ///< values of the symbols for which it happens
  IslPwAff Offset;          ///< bytes from the beginning of the array; null: anywhere in it
  uint64_t Bytes = 0;       ///< 0 with a null offset
};

class SymbolicIteration {
public:
  /// \p Block: used where its extents are known.
  SymbolicIteration(const TileModel &Model, clang::ASTContext &Context, const LaunchShape &Block);
  ~SymbolicIteration();

  /// False: something in the body cannot be followed at all; then nothing is known.
  bool run();
  const std::vector<MappedAccess> &accesses() const;

  /// Is every byte of \p Array that \p Read may touch written for certain by the load phase?
  Answer coveredByLoad(const MappedAccess &Read);
  /// A byte that \p Read may touch and the load phase may leave alone, as text for a message: "element 12
  /// when n = 3"; empty when there is none to show.
  std::string uncovered(const MappedAccess &Read);

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace cuda_pipeline

#endif
