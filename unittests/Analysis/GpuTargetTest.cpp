//===- GpuTargetTest.cpp - The GPU table and the occupancy ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/GpuTarget.h"
#include "gtest/gtest.h"

#ifdef CPR_HAVE_CUDA_OCCUPANCY
#include "cuda_occupancy.h"
#endif

using namespace cuda_pipeline;

namespace {

const GpuTarget &gpu(llvm::StringRef Name) {
  const GpuTarget *T = GpuTarget::find(Name);
  EXPECT_NE(T, nullptr) << Name.str();
  return T ? *T : GpuTarget::all().front();
}

TEST(GpuTarget, Find) {
  ASSERT_NE(GpuTarget::find("sm_90"), nullptr);
  EXPECT_EQ(GpuTarget::find("sm_90a"), GpuTarget::find("sm_90"));
  EXPECT_EQ(GpuTarget::find("sm_120f"), GpuTarget::find("sm_120"));
  EXPECT_NE(GpuTarget::find("sm_70"), nullptr);
  EXPECT_EQ(GpuTarget::find("sm_60"), nullptr);
  EXPECT_EQ(GpuTarget::find("sm_9"), nullptr);
  EXPECT_EQ(GpuTarget::find(""), nullptr);
  EXPECT_EQ(GpuTarget::find("90"), nullptr);
}

TEST(GpuTarget, AscendingAndConsistent) {
  ASSERT_EQ(GpuTarget::all().size(), 13u);
  unsigned Last = 0;
  for (const GpuTarget &T : GpuTarget::all()) {
    SCOPED_TRACE(T.Name.str());
    unsigned Number = T.Major * 10 + T.Minor;
    EXPECT_GT(Number, Last);
    Last = Number;
    EXPECT_EQ(T.Name.str(), "sm_" + std::to_string(Number));
    EXPECT_EQ(T.ThreadsPerSM, T.WarpsPerSM * 32);
    EXPECT_EQ(T.HasAsyncCopy, T.Major >= 8);
    // A block may have all but what the system takes.
    EXPECT_EQ(T.SharedPerBlockOptIn, T.SharedPerSM - T.SharedReservedPerBlock);
    EXPECT_EQ(T.SharedPerBlockDefault, 49152u);
  }
}

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
TEST(GpuTarget, Table) {
  struct {
    const char *Name;
    unsigned SharedKiB, Warps, Blocks;
  } Expected[] = {
      {"sm_70", 96, 64, 32},   {"sm_72", 96, 64, 32},   {"sm_75", 64, 32, 16},
      {"sm_80", 164, 64, 32},  {"sm_86", 100, 48, 16},  {"sm_87", 164, 48, 16},
      {"sm_89", 100, 48, 24},  {"sm_90", 228, 64, 32},  {"sm_100", 228, 64, 32},
      {"sm_103", 228, 64, 32}, {"sm_110", 228, 48, 24}, {"sm_120", 100, 48, 24},
      {"sm_121", 100, 48, 24},
  };
  for (const auto &E : Expected) {
    SCOPED_TRACE(E.Name);
    const GpuTarget &T = gpu(E.Name);
    EXPECT_EQ(T.SharedPerSM, E.SharedKiB * 1024);
    EXPECT_EQ(T.WarpsPerSM, E.Warps);
    EXPECT_EQ(T.BlocksPerSM, E.Blocks);
  }
}

// Measured: the largest shared memory per block with which n blocks still fit.
TEST(Occupancy, Cliffs) {
  auto Cliffs = [](llvm::StringRef Name, std::vector<uint64_t> Expected) {
    for (unsigned N = 1; N <= Expected.size(); ++N)
      EXPECT_EQ(sharedMemoryCliff(gpu(Name), N), Expected[N - 1]) << Name.str() << ' ' << N;
  };
  Cliffs("sm_86", {101376, 50176, 33024, 24576, 19456, 16000});
  Cliffs("sm_89", {101376, 50176, 33024, 24576, 19456, 16000});
  Cliffs("sm_80", {166912, 82944, 54912, 40960});
  Cliffs("sm_90", {232448, 115712, 76800, 57344});
  Cliffs("sm_75", {65536, 32768});
}

TEST(Occupancy, CliffIsTheEdge) {
  for (const GpuTarget &T : GpuTarget::all()) {
    for (unsigned N = 1; N <= T.BlocksPerSM; ++N) {
      SCOPED_TRACE(T.Name.str() + " " + std::to_string(N));
      uint64_t Bytes = sharedMemoryCliff(T, N);
      ASSERT_GT(Bytes, 0u);
      EXPECT_GE(computeOccupancy(T, 32, Bytes).Blocks, N);
      EXPECT_LT(computeOccupancy(T, 32, Bytes + 1).Blocks, N);
    }
    EXPECT_EQ(sharedMemoryCliff(T, 1000), 0u);
  }
}

TEST(Occupancy, Limiters) {
  const GpuTarget &T = gpu("sm_86");
  Occupancy O = computeOccupancy(T, 256, 0);
  EXPECT_EQ(O.Blocks, 6u);
  EXPECT_EQ(O.Warps, 48u);
  EXPECT_DOUBLE_EQ(O.Theoretical, 1.0);
  EXPECT_EQ(O.Limiter, OccupancyLimiter::Warps);

  O = computeOccupancy(T, 32, 0);
  EXPECT_EQ(O.Blocks, 16u);
  EXPECT_EQ(O.Limiter, OccupancyLimiter::Blocks);
  EXPECT_DOUBLE_EQ(O.Theoretical, 16.0 / 48);

  // The step that bit others: 50,176 bytes, not 51,200.
  O = computeOccupancy(T, 256, 50176);
  EXPECT_EQ(O.Blocks, 2u);
  EXPECT_EQ(O.Limiter, OccupancyLimiter::SharedMemory);
  EXPECT_EQ(computeOccupancy(T, 256, 50177).Blocks, 1u);

  O = computeOccupancy(T, 256, 0, 128);
  EXPECT_EQ(O.Blocks, 2u);
  EXPECT_EQ(O.Limiter, OccupancyLimiter::Registers);
}

// A kernel of 1,024 threads that goes from 64 to 66 registers no longer launches.
TEST(Occupancy, DoesNotLaunch) {
  for (const GpuTarget &T : GpuTarget::all()) {
    SCOPED_TRACE(T.Name.str());
    EXPECT_EQ(computeOccupancy(T, 1024, 0, 64).Blocks, 1u);
    Occupancy O = computeOccupancy(T, 1024, 0, 66);
    EXPECT_EQ(O.Blocks, 0u);
    EXPECT_EQ(O.Limiter, OccupancyLimiter::Registers);
    EXPECT_EQ(computeOccupancy(T, 32, 0, 255).Limiter, OccupancyLimiter::Registers);
    EXPECT_EQ(computeOccupancy(T, 32, 0, 256).Blocks, 0u);
    O = computeOccupancy(T, 1056, 0);
    EXPECT_EQ(O.Blocks, 0u);
    EXPECT_EQ(O.Limiter, OccupancyLimiter::Warps);
    O = computeOccupancy(T, 32, T.SharedPerBlockOptIn + 1);
    EXPECT_EQ(O.Blocks, 0u);
    EXPECT_EQ(O.Limiter, OccupancyLimiter::SharedMemory);
    EXPECT_EQ(computeOccupancy(T, 0, 0).Blocks, 0u);
    EXPECT_EQ(computeOccupancy(T, 32, UINT64_MAX).Blocks, 0u);
  }
}

TEST(Occupancy, LimiterNames) {
  EXPECT_EQ(toString(OccupancyLimiter::SharedMemory), "shared-memory");
  EXPECT_EQ(toString(OccupancyLimiter::Registers), "registers");
  EXPECT_EQ(toString(OccupancyLimiter::Warps), "warps");
  EXPECT_EQ(toString(OccupancyLimiter::Blocks), "blocks");
}

#ifdef CPR_HAVE_CUDA_OCCUPANCY

cudaOccDeviceProp properties(const GpuTarget &T) {
  cudaOccDeviceProp P;
  P.computeMajor = T.Major;
  P.computeMinor = T.Minor;
  P.maxThreadsPerBlock = 1024;
  P.maxThreadsPerMultiprocessor = T.ThreadsPerSM;
  P.regsPerBlock = T.RegistersPerSM;
  P.regsPerMultiprocessor = T.RegistersPerSM;
  P.warpSize = 32;
  P.sharedMemPerBlock = T.SharedPerBlockDefault;
  P.sharedMemPerMultiprocessor = T.SharedPerSM;
  P.numSms = 1;
  P.sharedMemPerBlockOptin = T.SharedPerBlockOptIn;
  P.reservedSharedMemPerBlock = T.SharedReservedPerBlock;
  return P;
}

int bitOf(OccupancyLimiter L) {
  switch (L) {
  case OccupancyLimiter::None:
    return 0;
  case OccupancyLimiter::SharedMemory:
    return OCC_LIMIT_SHARED_MEMORY;
  case OccupancyLimiter::Registers:
    return OCC_LIMIT_REGISTERS;
  case OccupancyLimiter::Warps:
    return OCC_LIMIT_WARPS;
  case OccupancyLimiter::Blocks:
    return OCC_LIMIT_BLOCKS;
  }
  return 0;
}

// What the header knows by itself about an architecture (the rest are our own inputs).
TEST(OccupancyOracle, Properties) {
  for (const GpuTarget &T : GpuTarget::all()) {
    SCOPED_TRACE(T.Name.str());
    cudaOccDeviceProp P = properties(T);
    int Value = 0;
    EXPECT_EQ(cudaOccSMemAllocationGranularity(&Value, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(unsigned(Value), T.SharedGranule);
    EXPECT_EQ(cudaOccRegAllocationGranularity(&Value, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(unsigned(Value), T.RegisterGranule);
    EXPECT_EQ(cudaOccSubPartitionsPerMultiprocessor(&Value, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(unsigned(Value), T.SubPartitions);
    EXPECT_EQ(cudaOccMaxBlocksPerMultiprocessor(&Value, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(unsigned(Value), T.BlocksPerSM);
    // The largest configuration of shared memory is the whole of it.
    size_t Shared = T.SharedPerSM - 1;
    EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&Shared, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(Shared, T.SharedPerSM);
    Shared = T.SharedPerSM + 1;
    EXPECT_NE(cudaOccAlignUpShmemSizeVoltaPlus(&Shared, &P), CUDA_OCC_SUCCESS);
  }
}

TEST(OccupancyOracle, Grid) {
  std::vector<unsigned> Threads = {1, 31, 32, 33, 63, 65, 100, 1000, 1023, 1025, 2048};
  for (unsigned N = 64; N <= 1088; N += 32)
    Threads.push_back(N);

  std::vector<unsigned> Registers = {0, 1, 7, 9, 63, 65, 66, 127, 129, 167, 169, 254, 255};
  for (unsigned N = 8; N <= 248; N += 8)
    Registers.push_back(N);

  size_t Compared = 0;
  for (const GpuTarget &T : GpuTarget::all()) {
    std::vector<uint64_t> Bytes = {0, 1, 127, 128, 129, 1023, 1025};
    for (uint64_t N = 2048; N <= T.SharedPerSM + 2048; N += 2048)
      Bytes.insert(Bytes.end(), {N - 1, N, N + 1});
    for (unsigned N = 1; N <= T.BlocksPerSM; ++N)
      Bytes.insert(Bytes.end(), {sharedMemoryCliff(T, N), sharedMemoryCliff(T, N) + 1});

    cudaOccDeviceProp P = properties(T);
    cudaOccDeviceState State;
    for (uint64_t B : Bytes) {
      for (unsigned N : Threads) {
        for (unsigned R : Registers) {
          cudaOccFuncAttributes A;
          A.maxThreadsPerBlock = 1024;
          A.numRegs = R;
          A.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          A.maxDynamicSharedSizeBytes = B;
          A.numBlockBarriers = 1;
          cudaOccResult Expected;
          // An error here means more than the chip has.
          unsigned Blocks = 0;
          bool Ok = cudaOccMaxActiveBlocksPerMultiprocessor(&Expected, &P, &A, &State, N, B) ==
                    CUDA_OCC_SUCCESS;
          if (Ok)
            Blocks = Expected.activeBlocksPerMultiprocessor;
          Occupancy O = computeOccupancy(T, N, B, R);
          ASSERT_EQ(O.Blocks, Blocks)
              << T.Name.str() << " threads " << N << " bytes " << B << " registers " << R;
          ASSERT_EQ(O.Warps, Blocks * ((N + 31) / 32));
          if (Ok) {
            ASSERT_TRUE(Expected.limitingFactors & bitOf(O.Limiter))
                << T.Name.str() << " threads " << N << " bytes " << B << " registers " << R
                << " says " << toString(O.Limiter).str();
          }
          ++Compared;
        }
      }
    }
  }
  EXPECT_GT(Compared, 1000000u);
}

#else

TEST(OccupancyOracle, DISABLED_NeedsCudaToolkit) {}

#endif

} // namespace
