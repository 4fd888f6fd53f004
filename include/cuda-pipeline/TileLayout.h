//===- TileLayout.h - Where the elements of a tile lie ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 5c: which element of a tile lies where is nobody's business but the loop's. The *pitch* is
/// the distance from one row to the next; with another pitch the same accesses meet other banks.
///
///   __shared__ half As[128][16];          eight rows of 32 bytes begin in four places of the banks
///   __shared__ half As[128][16 + 8];      in eight
///
/// The pitch may change where every access to the tile is known by its map, each stays in the row
/// that its subscripts choose, and nothing depends on which address an element has
/// (docs/soundness.md, rule 14). What is said of the pitch elsewhere, the leading dimension of a
/// fragment, moves along.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TILELAYOUT_H
#define CUDA_PIPELINE_TILELAYOUT_H

#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

struct SharedEffort;

/// One access of the loop to a tile, as the banks see it.
struct BankPicture {
  clang::SourceLocation Where;
  bool Write = false;
  unsigned Bytes = 0; ///< of one lane
  double Times = 0;   ///< so often in a turn of the tile loop, each time by all of a warp
  /// Wavefronts of one access of a warp: now, with the new pitch, and the least that there can be;
  /// the mean over the warps that were looked at.
  double Before = 0, After = 0, Least = 0;
};

struct TileLayout {
  const clang::VarDecl *Tile = nullptr;
  unsigned ElementBytes = 0;
  uint64_t Pitch = 0;                ///< bytes from row to row
  uint64_t NewPitch = 0;             ///< the same: there is nothing to gain, or it has to stay
  std::vector<BankPicture> Accesses; ///< those that are followed
  /// Expressions that say the pitch, each with the bytes of the elements that it counts.
  std::vector<std::pair<const clang::Expr *, uint64_t>> Said;
  /// Indices that go through the rows one behind the other, the same.
  std::vector<std::pair<const clang::Expr *, uint64_t>> Flat;
  /// Why it has to stay, if there would be something to gain; where.
  std::string WhyNot;
  clang::SourceLocation Where;

  /// Wavefronts of a warp in one turn.
  double before() const;
  double after() const;
  double least() const;
  bool changes() const { return NewPitch != Pitch; }
  /// The pitch stays; \p Why empty: nobody needs to know.
  void stay(std::string Why, clang::SourceLocation Where);
};

/// Of each tile with rows. \p Shape: of the block; where it is not known, nothing is. \p Seldom:
/// copies, by the places of their stores, that are not worth a thought (Legality::Direct).
std::vector<TileLayout> layoutsOf(const TileModel &Model, clang::ASTContext &Context,
                                  const LaunchShape &Shape, SharedEffort &Effort,
                                  const std::set<clang::SourceLocation> &Seldom = {});

} // namespace cuda_pipeline

#endif
