//===- RowAccesses.h - Accesses to a tile, lane by lane -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The access maps of a tile as numbers: row and column of each lane of some warps, from which any
/// pitch can be tried; and whether an access is shown to stay in its row.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_ROWACCESSES_H
#define CUDA_PIPELINE_LIB_ANALYSIS_ROWACCESSES_H

#include "SymbolicIteration.h"
#include "Uniformity.h"
#include "cuda-pipeline/BankConflicts.h"
#include <array>

namespace cuda_pipeline {

/// One access of a warp: an instruction, as compilers make it.
struct WarpAccess {
  SharedAccess Kind = SharedAccess::Load;
  unsigned Bytes = 0; ///< of one lane
  struct Place {
    int64_t Row, Column; ///< Column: in bytes
  };
  std::array<std::optional<Place>, WarpSize> Lanes; ///< none: the lane takes no part
};

struct RowAccess {
  const MappedAccess *Access = nullptr;
  bool Happens = true; ///< at least for one thread of the block that is known
  bool InRow = false;  ///< it touches no byte outside of the row that its subscripts choose
  /// Bytes: a row that begins another multiple of this away leaves it as aligned as it is, and as
  /// wide as compilers make it.
  uint64_t Alignment = 1;
  double Times = 0;              ///< in a turn of the tile loop, with as many of Warps
  unsigned Samples = 0;          ///< warps that were looked at
  std::vector<WarpAccess> Warps; ///< of these; empty: it cannot be said
};

/// The accesses to \p Tile, whose rows are \p Pitch bytes long. \p Shape: of the block, maybe a
/// claim; unknown: no warps are looked at. Needs SymbolicIteration::followRows() and what has run.
std::vector<RowAccess> rowAccesses(SymbolicIteration &Turn, const clang::VarDecl *Tile,
                                   uint64_t Pitch, const LaunchShape &Shape,
                                   clang::ASTContext &Context);

/// Runs what the function does outside of the loop. False: that cannot be followed.
bool runOutside(SymbolicIteration &Turn, const TileModel &M);

} // namespace cuda_pipeline

#endif
