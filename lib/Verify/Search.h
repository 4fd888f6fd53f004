//===- Search.h - Launches that nobody has described ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Finds launches of a kernel by running it. Pointers lead to memory without a size
/// (Emulator/OpenMemory.h); blocks, grids and integers are tried, and the original is the judge: a
/// launch in which it races, leaves its shared arrays, diverges, or leaves what depends on memory
/// that nobody has set, is no launch of this kernel.
///
///   1. base     a block and values with which the original runs, its loops turn, and something is
///   written
///   2. bounds   one number after the other is changed: which of them decides how often a loop
///   turns, and by how much
///   3. turns    values with which the loops turn 0, 1, 2, 3, 4, 5 and 7 times, and end in the
///   middle of a tile
///   4. guards   several blocks, sizes between two tiles, and whatever makes a condition go the way
///   that it has not gone so far
///   5. aliases  pointers to one type that may lead to the same memory do
///
/// What a launch adds to what was seen before decides whether it is kept. Nothing here knows the
/// new version.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_VERIFY_SEARCH_H
#define CUDA_PIPELINE_LIB_VERIFY_SEARCH_H

#include "Emulator/Program.h"
#include "cuda-pipeline/DeviceModule.h"
#include "cuda-pipeline/Launch.h"
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

struct SearchLimits {
  std::optional<std::array<uint64_t, 3>> Block;   ///< no other one is tried
  std::vector<std::array<uint64_t, 3>> NotBlocks; ///< none of these is tried
  bool Aliases = true;                            ///< step 5
  std::optional<uint64_t>
      Dynamic; ///< bytes of dynamic shared memory; none: as much as the kernel uses
  uint64_t SharedBytes = emulator::MaxSharedBytes; ///< that a block can have, static and dynamic
  unsigned Runs = 1200;                            ///< of the original, in all
  uint64_t Accesses = 48000000;                    ///< of memory, in all
  uint64_t AccessesPerRun = 4000000;
};

/// One launch: sizes and the name of the case are in Launch, which has no arguments; what the
/// kernel is given is in Request.
struct FoundLaunch {
  ConcreteLaunch Launch;
  emulator::RunRequest Request;
  uint64_t Accesses = 0; ///< of memory, by the original
  uint64_t Turns = 0;    ///< in a row, by the loop that turns most often
};

struct FoundLaunches {
  std::vector<FoundLaunch> Launches; ///< first the one that is to be run in several orders of the
                                     ///< threads: short, and its loops turn
  std::string Why;                   ///< there are none: in one line
  bool OneWarp = false; ///< their blocks have one warp, and in larger ones of their kind the
                        ///< original is no good
  unsigned Runs = 0;    ///< of the original
  uint64_t Accesses = 0;
};

FoundLaunches searchLaunches(emulator::Program &Original, const DeviceModule &Module,
                             const KernelSignature &Kernel, const SearchLimits &Limits);

/// Do two runs of the same launch leave the same, bit for bit?
bool sameResult(const emulator::RunResult &A, const emulator::RunResult &B);

} // namespace cuda_pipeline

#endif
