//===- GpuTarget.cpp - GPU table and occupancy ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/GpuTarget.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <climits>

using namespace llvm;

namespace cuda_pipeline {

static constexpr uint64_t KiB = 1024;

// No block of any architecture has more threads, and a warp has 32 (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability").
static constexpr unsigned MaxThreadsPerBlock = 1024;
static constexpr unsigned WarpSize = 32;

// Limits per compute capability: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability". Granules, sub-partitions and the blocks per multiprocessor: cuda_occupancy.h of
// CUDA 13.0, which the unit tests compare this table with where a toolkit is installed.
//
// Name, Major, Minor, SharedPerSM, SharedPerBlockOptIn, SharedPerBlockDefault,
// SharedReservedPerBlock, SharedGranule, WarpsPerSM, ThreadsPerSM, BlocksPerSM, RegistersPerSM,
// RegistersPerThread, RegisterGranule, SubPartitions, HasAsyncCopy
//
// clang-format off
static const GpuTarget Targets[] = {
    {"sm_70",   7, 0,  96 * KiB,  96 * KiB, 48 * KiB,       0, 256, 64, 2048, 32, 65536, 255, 256, 4, false},
    {"sm_72",   7, 2,  96 * KiB,  96 * KiB, 48 * KiB,       0, 256, 64, 2048, 32, 65536, 255, 256, 4, false},
    {"sm_75",   7, 5,  64 * KiB,  64 * KiB, 48 * KiB,       0, 256, 32, 1024, 16, 65536, 255, 256, 4, false},
    {"sm_80",   8, 0, 164 * KiB, 163 * KiB, 48 * KiB, 1 * KiB, 128, 64, 2048, 32, 65536, 255, 256, 4, true},
    {"sm_86",   8, 6, 100 * KiB,  99 * KiB, 48 * KiB, 1 * KiB, 128, 48, 1536, 16, 65536, 255, 256, 4, true},
    {"sm_87",   8, 7, 164 * KiB, 163 * KiB, 48 * KiB, 1 * KiB, 128, 48, 1536, 16, 65536, 255, 256, 4, true},
    {"sm_89",   8, 9, 100 * KiB,  99 * KiB, 48 * KiB, 1 * KiB, 128, 48, 1536, 24, 65536, 255, 256, 4, true},
    {"sm_90",   9, 0, 228 * KiB, 227 * KiB, 48 * KiB, 1 * KiB, 128, 64, 2048, 32, 65536, 255, 256, 4, true},
    {"sm_100", 10, 0, 228 * KiB, 227 * KiB, 48 * KiB, 1 * KiB, 128, 64, 2048, 32, 65536, 255, 256, 4, true},
    {"sm_103", 10, 3, 228 * KiB, 227 * KiB, 48 * KiB, 1 * KiB, 128, 64, 2048, 32, 65536, 255, 256, 4, true},
    {"sm_110", 11, 0, 228 * KiB, 227 * KiB, 48 * KiB, 1 * KiB, 128, 48, 1536, 24, 65536, 255, 256, 4, true},
    {"sm_120", 12, 0, 100 * KiB,  99 * KiB, 48 * KiB, 1 * KiB, 128, 48, 1536, 24, 65536, 255, 256, 4, true},
    {"sm_121", 12, 1, 100 * KiB,  99 * KiB, 48 * KiB, 1 * KiB, 128, 48, 1536, 24, 65536, 255, 256, 4, true},
};
// clang-format on

ArrayRef<GpuTarget> GpuTarget::all() { return Targets; }

const GpuTarget *GpuTarget::find(StringRef Arch) {
  // "sm_90a" and "sm_100f" are the same chip with more instructions.
  if (Arch.ends_with("a") || Arch.ends_with("f"))
    Arch = Arch.drop_back();
  for (const GpuTarget &T : Targets)
    if (T.Name == Arch)
      return &T;
  return nullptr;
}

StringRef toString(OccupancyLimiter L) {
  switch (L) {
  case OccupancyLimiter::None:
    return "none";
  case OccupancyLimiter::SharedMemory:
    return "shared-memory";
  case OccupancyLimiter::Registers:
    return "registers";
  case OccupancyLimiter::Warps:
    return "warps";
  case OccupancyLimiter::Blocks:
    return "blocks";
  }
  return "none";
}

static unsigned blocksByWarps(const GpuTarget &Gpu, unsigned WarpsPerBlock, unsigned Threads) {
  return Threads > MaxThreadsPerBlock ? 0 : Gpu.WarpsPerSM / WarpsPerBlock;
}

static unsigned blocksBySharedMemory(const GpuTarget &Gpu, uint64_t Bytes) {
  if (Bytes > Gpu.SharedPerBlockOptIn)
    return 0;
  uint64_t Allocated = alignTo(Bytes + Gpu.SharedReservedPerBlock, Gpu.SharedGranule);
  return Allocated == 0 ? UINT_MAX : static_cast<unsigned>(Gpu.SharedPerSM / Allocated);
}

static unsigned blocksByRegisters(const GpuTarget &Gpu, unsigned WarpsPerBlock,
                                  unsigned Registers) {
  if (Registers == 0)
    return UINT_MAX;
  if (Registers > Gpu.RegistersPerThread)
    return 0;
  unsigned PerWarp =
      static_cast<unsigned>(alignTo(uint64_t(Registers) * WarpSize, Gpu.RegisterGranule));
  // Every sub-partition has its own register file; a warp lives in one of them. (The separate check
  // at the launch, which counts a block's warps in whole rounds over the sub-partitions, follows
  // from this one.)
  unsigned WarpsPerSubPartition = Gpu.RegistersPerSM / Gpu.SubPartitions / PerWarp;
  return WarpsPerSubPartition * Gpu.SubPartitions / WarpsPerBlock;
}

Occupancy computeOccupancy(const GpuTarget &Gpu, unsigned ThreadsPerBlock, uint64_t SharedBytes,
                           unsigned Registers) {
  Occupancy O;
  if (ThreadsPerBlock == 0)
    return O;
  unsigned WarpsPerBlock = static_cast<unsigned>(divideCeil(uint64_t(ThreadsPerBlock), WarpSize));

  // On a tie the first one is named: where the chip is full by itself (warps, blocks), giving back
  // shared memory or registers gains nothing; of the other two, shared memory is what stages cost.
  const std::pair<OccupancyLimiter, unsigned> Limits[] = {
      {OccupancyLimiter::Warps, blocksByWarps(Gpu, WarpsPerBlock, ThreadsPerBlock)},
      {OccupancyLimiter::Blocks, Gpu.BlocksPerSM},
      {OccupancyLimiter::SharedMemory, blocksBySharedMemory(Gpu, SharedBytes)},
      {OccupancyLimiter::Registers, blocksByRegisters(Gpu, WarpsPerBlock, Registers)},
  };
  const auto *Least = std::min_element(std::begin(Limits), std::end(Limits),
                                       [](auto &A, auto &B) { return A.second < B.second; });
  O.Limiter = Least->first;
  O.Blocks = Least->second;
  O.Warps = O.Blocks * WarpsPerBlock;
  O.Theoretical = double(O.Warps) / Gpu.WarpsPerSM;
  return O;
}

uint64_t sharedMemoryCliff(const GpuTarget &Gpu, unsigned Blocks) {
  if (Blocks == 0)
    return Gpu.SharedPerBlockOptIn;
  uint64_t Allocated = alignDown(Gpu.SharedPerSM / Blocks, Gpu.SharedGranule);
  if (Allocated <= Gpu.SharedReservedPerBlock)
    return 0;
  return std::min(Allocated - Gpu.SharedReservedPerBlock, Gpu.SharedPerBlockOptIn);
}

} // namespace cuda_pipeline
