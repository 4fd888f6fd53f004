//===- Variant.h - The ways to pipeline a loop ----------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// - `cp-async`    global to shared asynchronously, a ring of 2 to 8 buffers
/// - `ldg`         the next tile into registers, two buffers
/// - `ldg-single`  the next tile into registers, one buffer, two barriers
/// - `mixed`       each copy by the way that it allows, asynchronously or by registers, two buffers
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VARIANT_H
#define CUDA_PIPELINE_VARIANT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cuda_pipeline {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// The presets of Methods.def.
enum class Variant {
#define CPR_PRESET(Id, Name, Async, Registers, Least, Most) Id,
#include "cuda-pipeline/Methods.def"
};
struct VariantInfo {
  llvm::StringRef Name; ///< "cp-async"
  bool Async;           ///< copies go by cp.async
  bool Registers;       ///< copies go by way of registers; with Async: those that cannot be
  unsigned Least, Most; ///< buffers of each tile
};
const VariantInfo &info(Variant V);
llvm::ArrayRef<Variant> allVariants(); ///< in the order of Methods.def
llvm::StringRef toString(Variant V);   ///< "cp-async", "ldg", "ldg-single", "mixed"
std::optional<Variant> variantFromString(llvm::StringRef S);

/// What a schedule needs of a loop. A finding of the analysis says which of it there is not
/// (Legality.h), and blocks the presets that need it.
enum class Needs : unsigned {
  Everything = 1,      ///< what every preset needs: that a load may run ahead at all
  SeveralBuffers = 2,  ///< that another turn's copy of each tile does as well
  Registers = 4,       ///< all copies by way of registers: the fetch can be split from the store
  AsyncBytes = 8,      ///< all copies by cp.async: the hardware can move the bytes
  Mixing = 16,         ///< the copies can be divided among the two
  AheadOfBarrier = 32, ///< a load may run ahead of the loop's first barrier
  StoresAhead = 64,    ///< the stores from registers may run in the turn before
  LLVM_MARK_AS_BITMASK_ENUM(StoresAhead)
};
/// What \p V needs with \p Stages buffers of each tile.
Needs needs(Variant V, unsigned Stages);

/// What only the compiler sees: it keeps it from undoing in the code what was done in the source.
/// Tried where the machine code says that it did (Sass.h).
struct EmissionHints {
  bool KeepRolled =
      false; ///< `#pragma unroll 1` at the main loop, unless it has a pragma of that kind
  bool Fence =
      false; ///< an empty asm statement that clobbers memory, between the loads and the compute
  bool any() const { return KeepRolled || Fence; }
};

/// For measuring how much there is to overlap: one half of a tile loop is left out. The results
/// mean nothing.
enum class Ablation {
  None,
  LoadsOnly,   ///< nothing is computed on the tiles
  ComputeOnly, ///< only the first tile is loaded
};
llvm::StringRef toString(Ablation A); ///< "", "loads-only", "compute-only"

} // namespace cuda_pipeline

#endif
