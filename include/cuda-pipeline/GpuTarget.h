//===- GpuTarget.h - What one GPU architecture allows ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 5a: the table of GPU architectures and the occupancy calculation. Plain data, no Clang.
///
/// - `GpuTarget` holds the limits of one compute capability, from the tables of the CUDA
/// programming
///   guide and cuda_occupancy.h (the oracle of the unit tests).
/// - `LaunchShape` is the block size of a kernel, with where it is known from; only an exact one is
///   a fact (soundness rule 11), all others are upper bounds or claims.
/// - `Occupancy` says how many blocks fit on one multiprocessor and what limits them.
///
/// Units: bytes for memory, 32-bit registers per thread, threads, warps and blocks per SM.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_GPUTARGET_H
#define CUDA_PIPELINE_GPUTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cuda_pipeline {

struct GpuTarget {
  llvm::StringRef Name;            ///< "sm_86"
  unsigned Major, Minor;           ///< compute capability
  uint64_t SharedPerSM;            ///< bytes
  uint64_t SharedPerBlockOptIn;    ///< bytes, dynamic with the attribute set
  uint64_t SharedPerBlockDefault;  ///< bytes, static or dynamic without the attribute: 49152
  uint64_t SharedReservedPerBlock; ///< bytes the system takes from every block
  uint64_t SharedGranule;          ///< bytes; allocations are rounded up to it
  unsigned WarpsPerSM, ThreadsPerSM, BlocksPerSM;
  unsigned RegistersPerSM;     ///< 65536
  unsigned RegistersPerThread; ///< 255
  unsigned RegisterGranule;    ///< registers per warp allocation unit: 256
  unsigned SubPartitions;      ///< 4
  bool HasAsyncCopy;           ///< LDGSTS (cp.async): 8.0 and later

  /// All architectures, ascending.
  static llvm::ArrayRef<GpuTarget> all();
  /// By "sm_86", also "sm_90a" (suffix ignored). Null when unknown.
  static const GpuTarget *find(llvm::StringRef Arch);
};

/// Where a block size comes from.
enum class ShapeOrigin { Unknown, LaunchBounds, Launch, CommandLine, RequiredSize };

struct LaunchShape {
  unsigned X = 0, Y = 1, Z = 1; ///< X == 0: unknown
  unsigned MaxThreads =
      0; ///< first argument of __launch_bounds__: larger blocks do not launch; 0: none
  unsigned MinBlocks = 0; ///< second argument of __launch_bounds__; 0: none
  ShapeOrigin Origin = ShapeOrigin::Unknown;
  /// True only when every launch was seen and they agree: then the shape is a fact. Otherwise
  /// threads() is an upper bound (LaunchBounds) or a claim (CommandLine).
  bool Exact = false;
  /// Some launch in the file is cooperative: all blocks have to be on the GPU at once.
  bool Cooperative = false;

  bool known() const { return X != 0; }
  /// Somebody says that blocks have this size: a launch in the file, or the command line.
  bool isClaim() const {
    return !Exact && (Origin == ShapeOrigin::CommandLine || Origin == ShapeOrigin::Launch);
  }
  unsigned threads() const { return X * Y * Z; }
};

enum class OccupancyLimiter { None, SharedMemory, Registers, Warps, Blocks };
llvm::StringRef toString(OccupancyLimiter L); ///< "shared-memory", "registers", "warps", "blocks"

struct Occupancy {
  unsigned Blocks = 0;    ///< resident blocks per SM; 0: does not launch
  unsigned Warps = 0;     ///< resident warps per SM
  double Theoretical = 0; ///< Warps / WarpsPerSM, 0..1
  OccupancyLimiter Limiter = OccupancyLimiter::None;
};

/// Blocks per SM for \p ThreadsPerBlock threads, \p SharedBytes of shared memory per block and
/// \p Registers per thread (0: registers are not considered; they are not known from source).
Occupancy computeOccupancy(const GpuTarget &Gpu, unsigned ThreadsPerBlock, uint64_t SharedBytes,
                           unsigned Registers = 0);

/// The largest number of bytes per block with which \p Blocks blocks still fit on one SM by shared
/// memory alone (the "cliff"); 0 when not even one byte fits.
uint64_t sharedMemoryCliff(const GpuTarget &Gpu, unsigned Blocks);

} // namespace cuda_pipeline

#endif
