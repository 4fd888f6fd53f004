//===- Schedule.h - How one loop is pipelined ---------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Half of step 6: what is to become of each copy and of each tile, as a value. The presets of
/// Methods.def fill it in; legality says which of them may, the cost what it is worth, and emission
/// (Edits.h) does what it says.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_SCHEDULE_H
#define CUDA_PIPELINE_SCHEDULE_H

#include "cuda-pipeline/TileModel.h"
#include "cuda-pipeline/Variant.h"
#include <map>
#include <set>

namespace cuda_pipeline {

/// How one copy gets from global to shared memory.
enum class CopyMethod {
  Async,    ///< by cp.async
  Register, ///< fetched into a register ahead of the compute phase, stored behind it
  Direct,   ///< stored where it is loaded, in the turn before
  Stay      ///< a constant that is stored: nothing is on its way
};
llvm::StringRef toString(CopyMethod M); ///< "cp.async", "registers", ..: the words of reports

struct CopySchedule {
  CopyMethod Method = CopyMethod::Register;
  unsigned Bytes = 0; ///< of one access of a thread; the least of all instantiations
};

/// Where the stages of a tile are.
enum class TilePlace {
  Array,   ///< where the tile is declared, with one dimension more in front
  Dynamic, ///< in dynamic shared memory, as the tile is, one behind the other
  Beside   ///< the first is where the tile is, the others are in dynamic shared memory
};

struct TileSchedule {
  unsigned Stages = 1; ///< buffers of it
  TilePlace Place = TilePlace::Array;
  uint64_t Alignment = 1; ///< bytes to which each of them is aligned at least
};

struct Schedule {
  Variant Preset = Variant::Ldg;
  unsigned Stages = 2;                                  ///< buffers of every tile
  std::map<clang::SourceLocation, CopySchedule> Copies; ///< by the places of their stores
  std::map<clang::SourceLocation, TileSchedule> Tiles;  ///< by their declarations
  bool FinalBarrier = true;                             ///< keep a barrier behind the loop
  bool EntryBarrier = true;    ///< keep it in front of the first tile, if the loop begins with one
  bool BarrierInFront = false; ///< of the first tile, where the loop does not begin with one
  BlockTest AskBlock;

  bool usesAsync() const { return info(Preset).Async; }
  bool usesRegisters() const { return info(Preset).Registers; }
  /// Some copies go one way, some the other.
  bool mixes() const { return usesAsync() && usesRegisters(); }
  /// How many tiles the load runs ahead of the compute.
  unsigned distance() const { return usesRegisters() ? 1 : Stages - 1; }

  CopyMethod methodOf(const TileCopy &C) const;
  bool isAsync(const TileCopy &C) const { return methodOf(C) == CopyMethod::Async; }
  uint64_t alignmentOf(const TileBuffer &B) const;
  /// Stages of some tile are there.
  bool isAt(TilePlace Place) const;
  void place(TilePlace Place); ///< of all tiles

  /// For all instantiations: the widths and alignments that hold for each. False: not the same
  /// copies go the same way.
  bool mergeWith(const Schedule &Other);
};

/// What the preset makes of the loop, with copies by the places of their stores. \p MixedAsync:
/// those that are asynchronous where it mixes. \p Direct: those that no method is worth where
/// others are asynchronous.
Schedule makeSchedule(const TileModel &Model, Variant Preset, unsigned Stages,
                      const std::set<clang::SourceLocation> &MixedAsync = {},
                      const std::set<clang::SourceLocation> &Direct = {});

} // namespace cuda_pipeline

#endif
