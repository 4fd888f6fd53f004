//===- BudgetTest.cpp - Shared memory before and after -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Budget.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;

namespace {

Budget budget(llvm::ArrayRef<BufferSize> Buffers, unsigned Stages, unsigned Threads = 0,
              llvm::ArrayRef<llvm::StringRef> Archs = {"sm_86"}) {
  std::vector<const GpuTarget *> Gpus;
  for (llvm::StringRef A : Archs)
    Gpus.push_back(GpuTarget::find(A));
  LaunchShape Shape;
  Shape.X = Threads;
  return computeBudget(Gpus, Buffers, Stages, Shape);
}

TEST(Budget, Pitch) {
  EXPECT_EQ(stagePitch({1000, 16, true}), 1008u);
  EXPECT_EQ(stagePitch({1024, 16, true}), 1024u);
  EXPECT_EQ(stagePitch({3, 1, true}), 3u);
  EXPECT_EQ(stagePitch({3, 0, true}), 3u);
  EXPECT_EQ(stagePitch({0, 16, true}), 0u);
  EXPECT_EQ(stagePitch({UINT64_MAX - 1, 16, true}), UINT64_MAX);
}

// The int8 GEMM of 64x64x32: two tiles of 2 KB.
TEST(Budget, Stages) {
  BufferSize Tiles[] = {{2048, 16, true}, {2048, 16, true}};
  Budget B = budget(Tiles, 3, 128);
  EXPECT_EQ(B.SharedBefore, 4096u);
  EXPECT_EQ(B.SharedAfter, 12288u);
  EXPECT_EQ(B.Limit, 49152u);
  EXPECT_TRUE(B.fits());
  ASSERT_TRUE(B.HasOccupancy);
  EXPECT_EQ(B.Before.Blocks, 12u);
  EXPECT_EQ(B.Before.Limiter, OccupancyLimiter::Warps);
  EXPECT_EQ(B.After.Blocks, 7u);
  EXPECT_EQ(B.After.Limiter, OccupancyLimiter::SharedMemory);
}

TEST(Budget, OnlyTilesAreMultiplied) {
  BufferSize Buffers[] = {{4096, 16, true}, {1024, 16, false}};
  EXPECT_EQ(budget(Buffers, 2).SharedAfter, 9216u);
  // ldg-single
  EXPECT_EQ(budget(Buffers, 1).SharedAfter, 5120u);
  EXPECT_FALSE(budget(Buffers, 2).HasOccupancy);
}

TEST(Budget, Limit) {
  BufferSize Exactly[] = {{8192, 16, true}, {16384, 16, true}};
  EXPECT_EQ(budget(Exactly, 2).SharedAfter, 49152u);
  EXPECT_TRUE(budget(Exactly, 2).fits());
  BufferSize OneMore[] = {{8192, 16, true}, {16384, 16, true}, {1, 1, false}};
  EXPECT_FALSE(budget(OneMore, 2).fits());
  BufferSize Huge[] = {{UINT64_MAX / 2, 16, true}};
  EXPECT_FALSE(budget(Huge, 3).fits());
  EXPECT_EQ(budget(Huge, 3).SharedAfter, UINT64_MAX);
}

// The order of the arrays is the assembler's: the worst one counts, and it needs no more than that.
TEST(Budget, WorstOrder) {
  BufferSize Buffers[] = {{1024, 128, true}, {4, 4, false}};
  EXPECT_EQ(budget(Buffers, 1).SharedBefore, 128u + 1024u); // the small one first
  // ptxas of CUDA 13.0 takes 65 bytes for these on sm_80, and 64 on sm_120, in another order.
  BufferSize Mixed[] = {{3, 1, false}, {20, 16, false}, {1, 1, false}, {24, 8, false}};
  EXPECT_GE(budget(Mixed, 1).SharedBefore, 65u);
  BufferSize Aligned[] = {{1024, 16, true}, {512, 16, false}, {16, 16, false}};
  EXPECT_EQ(budget(Aligned, 1).SharedBefore, 1552u);
}

TEST(Budget, ManyArrays) {
  std::vector<BufferSize> Aligned(20, {64, 16, false});
  EXPECT_EQ(budget(Aligned, 1).SharedBefore, 1280u);
  std::vector<BufferSize> Odd(7, {4, 4, false});
  Odd.push_back({1024, 16, true});
  uint64_t Bytes = budget(Odd, 1).SharedBefore;
  EXPECT_GE(Bytes, 1024u + 28 + 4);
  EXPECT_LE(Bytes, 1024u + 28 + 12);
}

TEST(Budget, SeveralArchitectures) {
  BufferSize Tiles[] = {{16384, 16, true}};
  Budget B = budget(Tiles, 2, 256, {"sm_90", "sm_86"});
  EXPECT_EQ(B.Limit, 49152u);
  // The first one's.
  EXPECT_EQ(B.After.Blocks, computeOccupancy(*GpuTarget::find("sm_90"), 256, 32768).Blocks);
  EXPECT_EQ(budget(Tiles, 2, 256, {}).Limit, 0u);
}

} // namespace
