//===- BankConflicts.h - What an access to shared memory costs ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Shared memory has 32 banks of 4 bytes. One access of a warp takes as many *wavefronts* as its
/// lanes need different words of one bank; a wide access is made in groups of lanes one behind the
/// other. The rules are those of the CUDA programming guide, completed by what a profiler counts:
/// bench/micro/banks.py has 2,720 patterns, and all of them agree on an H200. Plain data, no Clang.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_BANKCONFLICTS_H
#define CUDA_PIPELINE_BANKCONFLICTS_H

#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace cuda_pipeline {

/// Lanes of a warp.
constexpr unsigned WarpSize = 32;

/// Bytes from the beginning of shared memory at which each lane's access begins; none: the lane
/// takes no part.
using LaneOffsets = std::array<std::optional<uint64_t>, WarpSize>;

enum class SharedAccess {
  Load,   ///< LDS: 1, 2, 4, 8 or 16 bytes for each lane
  Store,  ///< STS: the same
  Matrix, ///< LDSM: each lane has the place of one row of 16 bytes, eight rows are one matrix
};

/// Wavefronts of one access of a warp of \p Bytes for each lane; 0: no lane takes part.
unsigned wavefronts(SharedAccess Kind, unsigned Bytes, const LaneOffsets &Lanes);

/// The least that any layout could need, if each lane keeps its own bytes: as many bytes as they
/// touch together, 128 at a time, and at least one for each group of lanes.
unsigned leastWavefronts(SharedAccess Kind, unsigned Bytes, const LaneOffsets &Lanes);

} // namespace cuda_pipeline

#endif
