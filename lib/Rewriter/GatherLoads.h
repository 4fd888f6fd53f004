//===- GatherLoads.h - Load phases that stand later in an iteration ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// An iteration may have several pairs of load and compute, each with its own tile:
///
///   load K | barrier | scores | barrier | load V | barrier | accumulate | barrier
///
/// The tool pipelines what stands in front of the first barrier. So a later load moves there, if
/// that changes nothing:
///
///   load K, load V | barrier | scores | barrier | accumulate | barrier
///
/// and the file is read again. The move is shown to be sound here; whether the loop with the larger
/// load phase may be pipelined is for the rest of the tool. These must hold for a statement that
/// moves:
///
///   1. It stores to its tiles and to variables of its own alone, reads no shared memory, and does
///   nothing else.
///   2. What it passes neither mentions its tiles, nor changes a variable or local array that it
///   reads. (Global memory that
///      it reads is a matter of rule 4, for the whole compute phase.)
///   3. Nothing else gets at the tiles: they are declared shared arrays, named in the loop alone,
///   and none of what it passes
///      reaches memory by pointers that are not understood, by assembly or by unknown functions.
///   4. Between the last use of the tiles in an iteration and the store of the next there is a
///   barrier. Where there is none any
///      more, one is added at the end of the body.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_GATHERLOADS_H
#define CUDA_PIPELINE_LIB_REWRITER_GATHERLOADS_H

#include "cuda-pipeline/TileModel.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Whole lines of the main file, as offsets.
struct GatheredLoads {
  std::vector<std::pair<unsigned, unsigned>> Moved;   ///< in their order, to
  unsigned To = 0;                                    ///< in front of which all of them stand then
  std::vector<std::pair<unsigned, unsigned>> Dropped; ///< second barriers
  unsigned AddedAt = 0;                               ///< a barrier
  std::string Added;
  std::vector<std::string> Tiles; ///< that are loaded earlier, by name
  bool empty() const { return Moved.empty(); }
  bool operator==(const GatheredLoads &O) const {
    return Moved == O.Moved && To == O.To && Dropped == O.Dropped && Added == O.Added &&
           Tiles == O.Tiles;
  }
};

/// Empty: the loop has one load phase, or the others have to stay.
GatheredLoads gatherLoads(const TileModel &Model, clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
