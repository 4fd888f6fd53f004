//===- ShadowTest.cpp - Races by shadow state
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Verify/Emulator/Shadow.h"
#include "gtest/gtest.h"
#include <cstring>
#include <vector>

using namespace cuda_pipeline::emulator;

namespace {

/// One array of 64 bytes in shared and in global memory, a block of 96 threads.
class Shadow : public ::testing::Test {
protected:
  Shadow() {
    Shared = Mem.allocateShared("s", 64, 4, 4);
    Global = Mem.allocateGlobal("g", 64, 4);
    When.startBlock(96, ++Mem.Time);
  }
  std::optional<Conflict> access(Access Kind, uint64_t At, unsigned Thread, unsigned Bytes = 4) {
    return Mem.record(Kind, At, Bytes, Thread, Mem.Time, When, /*Cross=*/true, Thread + 1);
  }
  std::optional<Conflict> read(unsigned Thread) { return access(Access::Read, Shared, Thread); }
  std::optional<Conflict> write(unsigned Thread) { return access(Access::Write, Shared, Thread); }
  void barrier() { When.blockBarrier(++Mem.Time); }
  void syncWarp(std::vector<unsigned> Threads) { When.partialBarrier(Threads, ++Mem.Time); }

  Memory Mem;
  Clocks When;
  uint64_t Shared, Global;
};

TEST_F(Shadow, WriteThenReadOfAnotherThread) {
  EXPECT_FALSE(write(0));
  EXPECT_FALSE(read(0));
  auto C = read(1);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::WithWrite);
  EXPECT_EQ(C->Other, 0u);
  EXPECT_EQ(C->OtherSite, 1u);
}

TEST_F(Shadow, ABarrierOrders) {
  EXPECT_FALSE(write(0));
  barrier();
  EXPECT_FALSE(read(1));
  EXPECT_FALSE(read(50));
  barrier();
  EXPECT_FALSE(write(2));
}

TEST_F(Shadow, ReadThenWriteOfAnotherThread) {
  EXPECT_FALSE(read(3));
  auto C = write(4);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::WithRead);
  EXPECT_EQ(C->Other, 3u);
}

// The last reader is the writer itself; an earlier one is not.
TEST_F(Shadow, EarlierReadersAreNotForgotten) {
  EXPECT_FALSE(read(3));
  EXPECT_FALSE(read(4));
  EXPECT_TRUE(write(4));
}
TEST_F(Shadow, EarlierReadersOfAnotherWarpAreNotForgotten) {
  EXPECT_FALSE(read(70));
  EXPECT_FALSE(read(4));
  EXPECT_TRUE(write(4));
}

TEST_F(Shadow, EveryByteCounts) {
  EXPECT_FALSE(access(Access::Write, Shared + 3, 0, 1));
  EXPECT_FALSE(access(Access::Read, Shared + 4, 1, 4));
  EXPECT_TRUE(access(Access::Read, Shared, 1, 4));
}

TEST_F(Shadow, AWarpBarrierOrdersItsOwnThreads) {
  EXPECT_FALSE(write(0));
  syncWarp({0, 1, 2});
  EXPECT_FALSE(read(1));
  EXPECT_TRUE(read(3));
}

TEST_F(Shadow, WarpBarriersAreTransitive) {
  EXPECT_FALSE(write(0));
  syncWarp({0, 1});
  syncWarp({1, 2});
  EXPECT_FALSE(read(2));
  // But not backwards.
  EXPECT_FALSE(access(Access::Write, Shared + 8, 2));
  EXPECT_TRUE(access(Access::Read, Shared + 8, 0));
}

// All lanes read, the warp waits, one writes: ordered for those that waited, and for them alone.
TEST_F(Shadow, WarpReadersThenWriter) {
  for (unsigned T = 0; T != 8; ++T)
    EXPECT_FALSE(read(T));
  syncWarp({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_FALSE(write(0));
  barrier();
  EXPECT_FALSE(read(0));
  EXPECT_FALSE(read(9));
  syncWarp({0, 1, 2, 3, 4, 5, 6, 7});
  auto C = write(0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Other, 9u);
}

// Arrival without waiting orders one way.
TEST_F(Shadow, WhoWaitsKnowsWhoArrived) {
  VectorClock Phase;
  EXPECT_FALSE(write(0));
  When.release(0, ++Mem.Time, Phase);
  EXPECT_FALSE(access(Access::Write, Shared + 8, 0)); // after the arrival
  EXPECT_FALSE(access(Access::Write, Shared + 16, 1));
  When.acquire(1, Phase);
  EXPECT_FALSE(read(1));
  EXPECT_TRUE(access(Access::Read, Shared + 8, 1));
  EXPECT_TRUE(access(Access::Read, Shared + 16, 0)); // it has not waited
  EXPECT_TRUE(read(2));
}

// Readers of several warps that have arrived at different times: each counts by its own last read.
TEST_F(Shadow, ReadersAreToldApart) {
  VectorClock Phase;
  When.release(90, ++Mem.Time, Phase); // from here on
  Phase.clear();
  for (unsigned T : {1u, 2u, 40u}) {
    EXPECT_FALSE(read(T));
    When.release(T, ++Mem.Time, Phase);
  }
  EXPECT_FALSE(read(41)); // later than all arrivals
  When.acquire(70, Phase);
  auto C = write(70);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::WithRead);
  EXPECT_EQ(C->Other, 41u);
}
TEST_F(Shadow, ReadersOfSeveralWarpsThatHaveAllArrived) {
  VectorClock Phase;
  for (unsigned T : {1u, 2u, 40u, 70u}) {
    EXPECT_FALSE(read(T)); // the first before there are clocks at all
    When.release(T, ++Mem.Time, Phase);
  }
  When.acquire(70, Phase);
  EXPECT_FALSE(write(70));
  // The next round does not remember this one.
  VectorClock Next;
  When.release(70, ++Mem.Time, Next);
  When.acquire(3, Next);
  EXPECT_FALSE(read(3));
  EXPECT_FALSE(read(3));
  Next.clear();
  When.release(3, ++Mem.Time, Next);
  When.acquire(70, Next);
  EXPECT_FALSE(write(70));
  // Nor does a block remember the one before.
  EXPECT_TRUE(read(1));
  When.startBlock(96, ++Mem.Time);
  Mem.startBlock();
  EXPECT_FALSE(read(5));
  EXPECT_FALSE(read(50));
  EXPECT_TRUE(write(5));
}

TEST_F(Shadow, AtomicsDoNotRaceWithEachOther) {
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 0));
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 1));
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 2));
  EXPECT_TRUE(access(Access::Read, Shared, 3));
}
TEST_F(Shadow, AtomicAfterPlainAccess) {
  EXPECT_FALSE(write(0));
  EXPECT_TRUE(access(Access::AtomicWrite, Shared, 1));
}

TEST_F(Shadow, BlocksShareGlobalMemoryOnly) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  EXPECT_FALSE(write(0));
  When.startBlock(96, ++Mem.Time);
  EXPECT_FALSE(write(5));
  auto C = access(Access::Read, Global, 0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::AcrossBlocks);
  // With a fence somewhere they may have synchronised.
  EXPECT_FALSE(Mem.record(Access::Read, Global, 4, 0, Mem.Time, When, /*Cross=*/false, 1));
}

TEST_F(Shadow, RegionsHaveRedZones) {
  EXPECT_EQ(Mem.find(Shared)->Name, "s");
  EXPECT_EQ(Mem.find(Shared + 63)->Name, "s");
  EXPECT_EQ(Mem.find(Shared + 64), nullptr);
  EXPECT_EQ(Mem.find(Shared - 1), nullptr);
  EXPECT_EQ(Mem.nearest(Shared + 70)->Name, "s");
  EXPECT_LE(Shared + 64, uint64_t(1) << 32);
}

TEST(Poison, DiffersFromRunToRunAndIsWhatItSays) {
  uint8_t A[64], B[64], C[64];
  fillPoison(A, 64, 1, Poison::NaNs);
  fillPoison(B, 64, 2, Poison::NaNs);
  fillPoison(C, 64, 1, Poison::Numbers);
  EXPECT_NE(std::vector<uint8_t>(A, A + 64), std::vector<uint8_t>(B, B + 64));
  for (int I = 0; I != 64; I += 4) {
    float X, Y;
    memcpy(&X, A + I, 4);
    memcpy(&Y, C + I, 4);
    EXPECT_TRUE(X != X);
    EXPECT_TRUE(Y == Y && Y * 0 == 0);
  }
  for (int I = 0; I != 64; I += 8) {
    double X, Y;
    memcpy(&X, A + I, 8);
    memcpy(&Y, C + I, 8);
    EXPECT_TRUE(X != X);
    EXPECT_TRUE(Y == Y && Y * 0 == 0);
  }
}

} // namespace
