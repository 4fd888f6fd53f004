//===- LaunchHints.h - What the code says of how it is launched -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Guesses from a kernel's code, for the search of launches (Search.h): which of a thread's own
/// numbers are used, by how much one block is away from the next, how large tiles are, and which
/// loads bring what addresses and conditions are made of. A guess that is wrong costs time and
/// nothing else: the original decides what is a launch of it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_LAUNCHHINTS_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_LAUNCHHINTS_H

#include "Shadow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

struct LaunchHints {
  std::array<bool, 3> Threads = {},
                      Blocks =
                          {}; ///< threadIdx and blockIdx, or blockDim and gridDim: x, y, z are read
  std::array<bool, 3> BlockDim = {};          ///< blockDim is
  std::array<std::set<uint64_t>, 3> PerBlock; ///< constants that blockIdx is multiplied by
  std::array<std::set<uint64_t>, 3>
      ThreadLimits; ///< constants that threadIdx is compared with or divided by
  std::array<std::set<uint64_t>, 3>
      ThreadFactors; ///< that threadIdx is multiplied by: of y often the extent in x
  std::set<uint64_t>
      Steps; ///< by which loops over a thread's elements go on: often the threads of a block
  std::vector<std::vector<uint64_t>>
      SharedExtents;          ///< of static shared arrays, outermost first, in elements
  std::set<uint64_t> Numbers; ///< that something else is compared with, divided by or stepped by
};

/// Of all that \p M has: what no kernel reaches is gone from it. Special registers must still be
/// intrinsics.
LaunchHints launchHints(const llvm::Module &M);

/// LoadHint of every load that has one.
llvm::DenseMap<const llvm::Instruction *, uint8_t> loadHints(llvm::Module &M);

} // namespace emulator
} // namespace cuda_pipeline

#endif
