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
    Between.startLaunch();
    startBlock();
  }
  void startBlock() {
    When.startBlock(96, ++Mem.Time);
    Between.startBlock(Mem.Time);
  }
  std::optional<Conflict> access(Access Kind, uint64_t At, unsigned Thread, unsigned Bytes = 4) {
    return Mem.record(Kind, *Mem.find(At), At, Bytes, Thread, Mem.Time, When, Between, Thread + 1);
  }
  std::optional<Conflict> read(unsigned Thread) { return access(Access::Read, Shared, Thread); }
  std::optional<Conflict> write(unsigned Thread) { return access(Access::Write, Shared, Thread); }
  void barrier() {
    When.blockBarrier(++Mem.Time);
    Between.blockBarrier();
  }
  void fence(unsigned Thread) { Between.fence(Thread, ++Mem.Time, When); }
  /// As an atomic addition.
  void ticket(unsigned Thread) {
    Between.atomicRead(Thread, Global + 60);
    EXPECT_FALSE(access(Access::AtomicWrite, Global + 60, Thread));
    Between.atomicWrite(Thread, Global + 60);
  }
  void syncWarp(std::vector<unsigned> Threads) { When.partialBarrier(Threads, ++Mem.Time); }

  Memory Mem;
  Clocks When;
  BlockClocks Between;
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
  startBlock();
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

// Atomic accesses hide no plain one.
TEST_F(Shadow, APlainWriteBehindAnAtomicOne) {
  EXPECT_FALSE(write(0));
  syncWarp({0, 1});
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 1)); // has waited for it
  EXPECT_TRUE(access(Access::AtomicWrite, Shared, 40)); // has not
  EXPECT_TRUE(access(Access::AtomicRead, Shared, 40));
  syncWarp({1, 2});
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 2));
  EXPECT_FALSE(access(Access::Read, Shared, 2));
}
TEST_F(Shadow, APlainReadBehindAnAtomicOne) {
  EXPECT_FALSE(read(3));
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 4));
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 3));
  auto C = access(Access::AtomicWrite, Shared, 4);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::WithRead);
  EXPECT_EQ(C->Other, 3u);
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 3)); // its own
  barrier();
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 4));
  EXPECT_TRUE(read(3));
}
TEST_F(Shadow, ReadersOfSeveralWarpsBehindAnAtomicRead) {
  EXPECT_FALSE(read(3));
  EXPECT_FALSE(read(70));
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 70));
  EXPECT_TRUE(access(Access::AtomicWrite, Shared, 70));
}
TEST_F(Shadow, AtomicReadersAreNotForgotten) {
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 3));
  EXPECT_FALSE(read(4));
  EXPECT_TRUE(write(4));
  EXPECT_TRUE(access(Access::AtomicWrite, Shared, 50)); // of the plain one
  barrier();
  EXPECT_FALSE(write(4));
}
// The last atomic write has seen those before it: who has waited for that one need not have waited
// for the others.
TEST_F(Shadow, AtomicWritesOfOneByteAreInOrder) {
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 40));
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 1));
  syncWarp({1, 2});
  EXPECT_FALSE(write(2));
  EXPECT_TRUE(access(Access::AtomicWrite, Shared, 40));
}
TEST_F(Shadow, AtomicsOfAnEarlierBlock) {
  EXPECT_FALSE(access(Access::Read, Global, 7));
  EXPECT_FALSE(access(Access::AtomicRead, Global, 7));
  EXPECT_FALSE(access(Access::AtomicRead, Shared, 7));
  EXPECT_FALSE(read(7));
  startBlock();
  EXPECT_FALSE(access(Access::AtomicWrite, Shared, 8));
  auto C = access(Access::AtomicWrite, Global, 8);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::AcrossBlocks);
}

// A reader of the same block does not hide one of another.
TEST_F(Shadow, EarlierReadersOfOtherBlocksAreNotForgotten) {
  EXPECT_FALSE(access(Access::Read, Global, 5));
  startBlock();
  EXPECT_FALSE(access(Access::Read, Global, 6));
  auto C = access(Access::Write, Global, 6);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::AcrossBlocks);
  EXPECT_EQ(C->Other, 5u);
}
TEST_F(Shadow, EachEarlierReaderHasToBeOrdered) {
  fence(9);
  EXPECT_FALSE(access(Access::Read, Global, 5));
  EXPECT_FALSE(access(Access::Read, Global + 4, 5));
  fence(5);
  ticket(5);
  startBlock();
  EXPECT_FALSE(access(Access::Read, Global, 6)); // has not waited, nor does it tell anybody
  startBlock();
  ticket(7);
  EXPECT_FALSE(access(Access::Read, Global, 7));
  EXPECT_TRUE(access(Access::Write, Global, 7));
  EXPECT_FALSE(access(Access::Read, Global + 4, 7));
  EXPECT_FALSE(access(Access::Write, Global + 4, 7));
}

// What an asynchronous copy reads it may read as late as at the wait.
TEST_F(Shadow, ASourceIsReadUntilTheWait) {
  EXPECT_FALSE(access(Access::Read, Global, 0));
  Mem.launched(Shared, 1, Global, 1, 0, When);
  syncWarp({0, 1}); // ordered behind the issue, not behind the wait
  ++Mem.Time;
  Mem.landed(Shared, 1, Global, 1, 0, Mem.Time, When, Between, 1);
  auto C = access(Access::Write, Global, 1, 1);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::WithRead);
  EXPECT_EQ(C->Other, 0u);
  syncWarp({0, 1});
  EXPECT_FALSE(access(Access::Write, Global, 1, 1));
}

TEST_F(Shadow, BlocksShareGlobalMemoryOnly) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  EXPECT_FALSE(write(0));
  startBlock();
  EXPECT_FALSE(write(5));
  auto C = access(Access::Read, Global, 0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->K, Conflict::AcrossBlocks);
}

// A fence, a ticket, and the next block's ticket: what it reads then is there.
TEST_F(Shadow, ATicketOrdersBlocks) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  fence(0);
  ticket(0);
  startBlock();
  EXPECT_TRUE(access(Access::Read, Global, 0)); // too early
  ticket(0);
  EXPECT_FALSE(access(Access::Read, Global, 0));
  EXPECT_TRUE(access(Access::Read, Global, 1)); // has not heard of it
  barrier();
  EXPECT_FALSE(access(Access::Read, Global, 1));
}
TEST_F(Shadow, ATicketWithoutAFenceOrdersNothing) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  ticket(0);
  fence(0); // too late
  startBlock();
  ticket(0);
  EXPECT_TRUE(access(Access::Read, Global, 0));
}
TEST_F(Shadow, AFenceOrdersWhatIsBeforeIt) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  EXPECT_FALSE(access(Access::Write, Global + 4, 1));
  fence(0);
  EXPECT_FALSE(access(Access::Write, Global + 8, 0));
  ticket(0);
  startBlock();
  ticket(0);
  EXPECT_FALSE(access(Access::Read, Global, 0));
  EXPECT_TRUE(access(Access::Read, Global + 4, 0)); // another thread's
  EXPECT_TRUE(access(Access::Read, Global + 8, 0)); // behind the fence
}
TEST_F(Shadow, ABarrierInFrontOfTheFenceIsForAll) {
  EXPECT_FALSE(access(Access::Write, Global + 4, 1));
  barrier();
  fence(0);
  ticket(0);
  startBlock();
  ticket(0);
  EXPECT_FALSE(access(Access::Read, Global + 4, 0));
}
// Everybody fences, then one takes the ticket.
TEST_F(Shadow, FencesOfOthersCountBehindABarrier) {
  EXPECT_FALSE(access(Access::Write, Global + 4, 1));
  fence(1);
  EXPECT_FALSE(access(Access::Write, Global + 8, 1));
  barrier();
  ticket(0);
  startBlock();
  ticket(0);
  EXPECT_FALSE(access(Access::Read, Global + 4, 0));
  EXPECT_TRUE(access(Access::Read, Global + 8, 0));
}
TEST_F(Shadow, TicketsAreTransitive) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  fence(0);
  ticket(0);
  startBlock();
  ticket(3);
  fence(3);
  Between.atomicWrite(3, Global + 56);
  startBlock();
  Between.atomicRead(7, Global + 56);
  EXPECT_FALSE(access(Access::Read, Global, 7));
  // And a block does not remember the one before.
  startBlock();
  EXPECT_TRUE(access(Access::Read, Global, 7));
}
// Reads of an earlier block come before a write as well.
TEST_F(Shadow, WhoOverwritesHasWaitedForReaders) {
  EXPECT_FALSE(access(Access::Read, Global, 0));
  EXPECT_FALSE(access(Access::Read, Global + 4, 0));
  fence(0);
  ticket(0);
  startBlock();
  EXPECT_TRUE(access(Access::Write, Global, 0));
  ticket(0);
  EXPECT_FALSE(access(Access::Write, Global + 4, 0));
}
// What lanes of a warp have told each other.
TEST_F(Shadow, KnowledgeIsSharedAmongThoseThatMeet) {
  EXPECT_FALSE(access(Access::Write, Global, 0));
  fence(0);
  ticket(0);
  startBlock();
  ticket(0);
  Between.partialBarrier({0, 1});
  EXPECT_FALSE(access(Access::Read, Global, 1));
  EXPECT_TRUE(access(Access::Read, Global, 2));
}

TEST_F(Shadow, ReadsAreKept) {
  Region *R = Mem.find(Global);
  EXPECT_TRUE(Memory::noteRead(*R, Global + 4, 8));
  EXPECT_EQ(R->Reads[0], 0xff0u);
  ByteSet May = R->Reads;
  R->MayRead = &May;
  EXPECT_TRUE(Memory::noteRead(*R, Global + 5, 7));
  EXPECT_FALSE(Memory::noteRead(*R, Global + 5, 8));
  EXPECT_TRUE(Mem.find(Shared)->Reads.empty());
}

TEST_F(Shadow, BuffersAreFarApart) {
  uint64_t Next = Mem.allocateGlobal("h", 100, 4);
  EXPECT_EQ(Next % 256, 0u);
  EXPECT_NE(Next % 512, 0u);
  uint64_t Distance = Next > Global ? Next - Global : Global - Next;
  EXPECT_GE(Distance, uint64_t(1) << 30);
  EXPECT_EQ(Mem.find(Global + (1 << 20)), nullptr);
  EXPECT_EQ(Mem.nearest(Global + (1 << 20))->Name, "g");
  // The next launch finds nothing of this one.
  EXPECT_FALSE(access(Access::Write, Next, 3));
  Mem.clear();
  uint64_t Again = Mem.allocateGlobal("i", 5000, 1);
  EXPECT_EQ(Memory::known(*Mem.find(Again), 0).WriteStamp, 0u);
  EXPECT_EQ(Mem.find(Next), nullptr);
  std::memset(reinterpret_cast<void *>(Again), 1, 5000);
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
