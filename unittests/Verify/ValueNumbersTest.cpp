//===- ValueNumbersTest.cpp - Numbers of what bytes were computed from ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Verify/Emulator/ValueNumbers.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace cuda_pipeline::emulator;

namespace {

/// 64 bytes of shared memory; in global memory as many floats, halves, and places for results.
class Numbers : public ::testing::Test {
protected:
  Numbers() {
    Shared = Mem.allocateShared("s", 64, 16, 4);
    Floats = Mem.allocateGlobal("floats", 64, 4);
    Halves = Mem.allocateGlobal("halves", 64, 2);
    Out = Mem.allocateGlobal("out", 64, 4);
    Values.fill(Shared, 64, 0);
  }
  void move(uint64_t To, uint64_t From, unsigned Bytes, unsigned AtOnce) {
    for (unsigned I = 0; I != Bytes; I += AtOnce)
      Values.store(To + I, AtOnce, Values.load(From + I, AtOnce));
  }
  static ValueNumber made(uint64_t Hash, uint64_t Bytes) {
    return (mix(Hash, 1) & HashBits) | sizeBits(Bytes);
  }

  Memory Mem;
  ValueNumbers Values{Mem};
  uint64_t Shared, Floats, Halves, Out;
};

TEST_F(Numbers, PlacesDiffer) {
  EXPECT_NE(Values.load(Floats, 4), 0u);
  EXPECT_EQ(Values.load(Floats, 4), Values.load(Floats, 4));
  EXPECT_NE(Values.load(Floats, 4), Values.load(Floats + 4, 4));
  EXPECT_NE(Values.load(Floats, 4), Values.load(Halves, 4));
  EXPECT_NE(Values.load(Floats, 4), Values.load(Floats, 2));
  EXPECT_EQ(Values.load(Shared, 4), 0u);
  int Local = 0;
  EXPECT_EQ(Values.load(reinterpret_cast<uint64_t>(&Local), 4), 0u);
}

TEST_F(Numbers, MovedByAnyWidth) {
  for (unsigned AtOnce : {1, 2, 4, 8, 16})
    for (uint64_t From : {Floats, Halves}) {
      Values.fill(Shared, 64, 0);
      move(Shared, From, 16, AtOnce);
      for (unsigned Bytes : {1, 2, 4, 8, 16})
        for (unsigned At = 0; At != 16; At += Bytes)
          EXPECT_EQ(Values.load(Shared + At, Bytes), Values.load(From + At, Bytes))
              << AtOnce << " at once, " << Bytes << " at " << At;
    }
}

TEST_F(Numbers, ComputedValuesAreMovedByAnyWidth) {
  for (unsigned Bytes : {2, 4, 8, 16}) {
    Values.store(Out, Bytes, made(7, Bytes));
    EXPECT_EQ(Values.load(Out, Bytes), made(7, Bytes));
    for (unsigned AtOnce = 1; AtOnce <= Bytes; AtOnce *= 2) {
      Values.fill(Shared, 64, 0);
      move(Shared, Out, Bytes, AtOnce);
      EXPECT_EQ(Values.load(Shared, Bytes), made(7, Bytes)) << Bytes << " by " << AtOnce;
    }
  }
}

TEST_F(Numbers, OrderAndWholenessMatter) {
  move(Shared, Floats, 4, 4);
  move(Shared + 4, Floats, 2, 2);
  move(Shared + 6, Floats, 2, 2);
  EXPECT_NE(Values.load(Shared + 4, 4), Values.load(Shared, 4));
  // A half of one value is none of another.
  Values.store(Out, 8, made(3, 8));
  EXPECT_NE(Values.load(Out, 4), Values.load(Out + 4, 4));
  EXPECT_NE(Values.load(Out, 4), made(3, 4));
}

TEST_F(Numbers, BitsWithoutANumberCount) {
  auto *Bytes = reinterpret_cast<uint8_t *>(Shared);
  auto With = [&](uint8_t Bits) {
    Values.fill(Shared, 4, 0);
    Bytes[2] = Bits;
    Values.store(Shared, 2, Values.load(Floats, 2));
    return Values.load(Shared, 4);
  };
  EXPECT_EQ(With(1), With(1));
  EXPECT_NE(With(1), With(2));
  Values.store(Shared, 4, 0);
  EXPECT_EQ(Values.load(Shared, 4), 0u);
}

TEST_F(Numbers, Bitwise) {
  using Op = ValueNumbers::Bitwise;
  const ValueNumber Word = Values.load(Floats, 4);
  const ValueNumber Low = Values.bitwise(Op::And, Word, 0, 0, 0xffff, 4),
                    High = Values.bitwise(Op::And, Word, 0, 0, 0xffff0000, 4);
  EXPECT_NE(Low, ValueNumbers::Mixture);
  EXPECT_NE(Low, High);
  EXPECT_EQ(Values.bitwise(Op::Or, Low, 0, High, 0, 4), Word);
  EXPECT_EQ(Values.bitwise(Op::Xor, Low, 0, High, 0, 4), Word);
  EXPECT_EQ(Values.bitwise(Op::Or, Word, 0, 0, 0, 4), Word);
  EXPECT_EQ(Values.bitwise(Op::And, Word, 0, 0, 0, 4), 0u);
  EXPECT_EQ(Values.bitwise(Op::Or, Word, 0, 0, 0xffffffff, 4), 0u);
  EXPECT_EQ(Values.bitwise(Op::And, Word, 0, 0, 0x7fffffff, 4), ValueNumbers::Mixture);
  EXPECT_EQ(Values.bitwise(Op::Xor, Word, 0, 0, 0xffffffff, 4), ValueNumbers::Mixture);
  EXPECT_EQ(Values.bitwise(Op::Or, Word, 0, Values.load(Floats + 4, 4), 0, 4),
            ValueNumbers::Mixture);
}

TEST_F(Numbers, CopiesOverlap) {
  Values.copy(Out, Floats, 16);
  Values.copy(Out + 4, Out, 16);
  EXPECT_EQ(Values.load(Out + 4, 4), Values.load(Floats, 4));
  EXPECT_EQ(Values.load(Out + 16, 4), Values.load(Floats + 12, 4));
}

TEST_F(Numbers, WhatWasWritten) {
  Values.store(Out + 8, 4, made(5, 4));
  Values.store(Out + 4, 4, 0);
  move(Shared, Floats, 4, 4);
  const auto Written = Values.written();
  ASSERT_EQ(Written.size(), 1u); // shared memory ends with the block
  const NumberedBytes &Of = Written.at("out");
  ASSERT_EQ(Of.size(), 8u);
  EXPECT_EQ(Of.front().first, 4);
  EXPECT_EQ(Of.back().first, 11);
  EXPECT_EQ(Of.back().second, made(5, 4) + 3);
  Values.clear();
  EXPECT_TRUE(Values.written().empty());
}

TEST_F(Numbers, UnsetSharedMemoryIsNobodys) {
  Values.forget(Shared, 64);
  ValueNumbers Other(Mem);
  EXPECT_NE(Values.load(Shared, 4), 0u);
  EXPECT_NE(Values.load(Shared, 4), Other.load(Shared, 4));
  EXPECT_EQ(Values.load(Floats, 4), Other.load(Floats, 4));
}

TEST_F(Numbers, WhatDecides) {
  Values.decide(Decision::Branch, 3, made(1, 1));
  Values.decide(Decision::Branch, 4, made(1, 1));
  Values.decide(Decision::Address, 4, made(1, 1));
  EXPECT_EQ(Values.decisions().size(), 2u);
  EXPECT_EQ(Values.deciding().size(), 2u);
  EXPECT_FALSE(Values.isExhausted());
}

} // namespace
