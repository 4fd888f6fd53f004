//===- OpenMemoryTest.cpp - Memory without a size
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Verify/Emulator/OpenMemory.h"
#include "gtest/gtest.h"
#include <cstring>
#include <set>

using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

TypeLayout number(ElementType::Kind Kind, unsigned Bytes, unsigned Lanes = 1) {
  TypeLayout L;
  L.Bytes = Bytes * Lanes;
  TypeLayout::Leaf Leaf;
  Leaf.Element.Base = Kind;
  Leaf.Element.BaseBytes = Bytes;
  Leaf.Element.Lanes = Lanes;
  L.Leaves.push_back(Leaf);
  return L;
}

/// Layout 0: float, 1: int, 2: pointer to float, 3: struct { float x; int n; float *p; }, 4:
/// float3.
class OpenMemoryTest : public ::testing::Test {
protected:
  OpenMemoryTest() {
    Layouts.push_back(number(ElementType::Kind::Float, 4));
    Layouts.push_back(number(ElementType::Kind::SignedInt, 4));
    TypeLayout Pointer = number(ElementType::Kind::Bytes, 1, 8);
    Pointer.Leaves[0].IsPointer = true;
    Pointer.Leaves[0].Pointee = 0;
    Layouts.push_back(Pointer);
    TypeLayout Struct;
    Struct.Bytes = 16;
    Struct.Leaves = {Layouts[0].Leaves[0], Layouts[1].Leaves[0], Pointer.Leaves[0]};
    Struct.Leaves[1].Offset = 4;
    Struct.Leaves[2].Offset = 8;
    Struct.Leaves[2].Name = ".p";
    Layouts.push_back(Struct);
    Layouts.push_back(number(ElementType::Kind::Float, 4, 3));
    start();
  }
  void start(const std::map<std::string, OpenSet> *MayRead = nullptr) {
    Open.emplace(Mem, Layouts, Data, MayRead);
    Between.startLaunch();
    When.startBlock(32, ++Mem.Time);
    Between.startBlock(Mem.Time);
  }
  uint64_t place(const char *Name, int Layout) {
    return Open->place({Name, Layout, Layouts[Layout].Bytes});
  }
  template <class T> T load(uint64_t At) {
    Region *R = Mem.find(At);
    EXPECT_TRUE(R && R->Open);
    EXPECT_TRUE(Mem.touch(*R, At, sizeof(T)));
    T Value;
    std::memcpy(&Value, reinterpret_cast<const void *>(At), sizeof(T));
    return Value;
  }
  template <class T> void store(uint64_t At, T Value) {
    Region *R = Mem.find(At);
    EXPECT_TRUE(Mem.touch(*R, At, sizeof(T)));
    EXPECT_FALSE(Mem.record(Access::Write, *R, At, sizeof(T), 0, Mem.Time, When, Between, 1));
    std::memcpy(reinterpret_cast<void *>(At), &Value, sizeof(T));
  }
  bool noteRead(uint64_t At, uint64_t Bytes) {
    Region *R = Mem.find(At);
    EXPECT_TRUE(Mem.touch(*R, At, Bytes));
    return Memory::noteRead(*R, At, Bytes);
  }
  Memory Mem;
  std::vector<TypeLayout> Layouts;
  OpenData Data;
  std::optional<OpenMemory> Open;
  Clocks When;
  BlockClocks Between;
};

TEST_F(OpenMemoryTest, HoldsTheSameWheneverItIsTouched) {
  const uint64_t A = place("A", 0);
  std::vector<float> Up, Down;
  for (int I = -2000; I != 2000; ++I)
    Up.push_back(load<float>(A + static_cast<uint64_t>(I * 4)));
  Open.reset();
  Mem.clear();
  start();
  place("B", 0); // it comes to lie elsewhere
  const uint64_t Again = place("A", 0);
  for (int I = 1999; I >= -2000; --I)
    Down.push_back(load<float>(Again + static_cast<uint64_t>(I * 4)));
  EXPECT_EQ(Up, std::vector<float>(Down.rbegin(), Down.rend()));
  EXPECT_NE(load<float>(Open->place({"B", 0, 4})), Up[2000]);
  EXPECT_GT(std::set<float>(Up.begin(), Up.end()).size(), 3900u);
  for (float F : Up)
    EXPECT_TRUE(F >= -1 && F < 1);
}

TEST_F(OpenMemoryTest, ElementsGoOverTheEndsOfPages) {
  // 4096 is no multiple of 12: element 341 begins 4 bytes in front of the second page.
  const uint64_t A = place("A", 4);
  load<float>(A + 8192 - 4); // the second page first
  for (int I = 330; I != 350; ++I)
    for (int Lane = 0; Lane != 3; ++Lane) {
      const float F = load<float>(A + static_cast<uint64_t>(I * 12 + Lane * 4));
      EXPECT_TRUE(F != 0 && F >= -1 && F < 1);
    }
}

TEST_F(OpenMemoryTest, IntegersAreWhatTheyAreUsedFor) {
  Data.Hints = {{"small", ToAddress}, {"rows", ToAddress | ToBound}};
  Data.Integers.High = 5;
  Data.Integers.Step = 32;
  start();
  const uint64_t Bits = place("bits", 1), Small = place("small", 1), Rows = place("rows", 1);
  std::set<int> Seen;
  unsigned Large = 0;
  EXPECT_EQ(load<int>(Rows), 32);
  for (int I = 0; I != 1000; ++I) {
    Large += std::abs(load<int>(Bits + I * 4)) > 1000000;
    Seen.insert(load<int>(Small + I * 4));
    const int Length = load<int>(Rows + I * 4 + 4) - load<int>(Rows + I * 4);
    EXPECT_TRUE(Length >= 0 && Length <= 64);
  }
  EXPECT_GT(Large, 900u);
  EXPECT_EQ(Seen, (std::set<int>{0, 1, 2, 3, 4}));
}

TEST_F(OpenMemoryTest, PointersLeadToMemoryOfTheirOwn) {
  const uint64_t A = place("A", 2), S = place("S", 3);
  std::set<uint64_t> Targets;
  for (int I = 0; I != 8; ++I)
    Targets.insert(load<uint64_t>(A + I * 8));
  EXPECT_EQ(Targets.size(), 8u);
  EXPECT_EQ(Mem.find(*Targets.begin())->Name.substr(0, 2), "A[");
  // The next ones go on behind them.
  EXPECT_EQ(load<uint64_t>(A + 64), load<uint64_t>(A) + (1 << 20));
  EXPECT_EQ(Mem.find(load<uint64_t>(S + 8))->Name, "S.p[0]");
  EXPECT_EQ(Mem.find(load<uint64_t>(S + 24))->Name, "S.p[1]");
  EXPECT_TRUE(load<float>(S + 16) < 1);
  EXPECT_TRUE(load<float>(load<uint64_t>(S + 8)) < 1);
}

TEST_F(OpenMemoryTest, WhatWasDoneIsKnown) {
  const uint64_t A = place("A", 0);
  EXPECT_TRUE(noteRead(A - 4, 4));
  EXPECT_TRUE(noteRead(A + 4092, 8));
  store<float>(A + 8, 2.0f);
  store<uint64_t>(A + 16, A + 64);
  const std::map<std::string, OpenImage> Images = Open->images();
  const OpenImage &Image = Images.at("A");
  EXPECT_EQ(Image.Reads.size(), 3u); // pages -1, 0, 1
  EXPECT_EQ(Image.Reads.at(-1)[63], 0xF000000000000000u);
  EXPECT_EQ(Image.Reads.at(1)[0], 0xFu);
  EXPECT_EQ(Image.Writes.size(), 1u);
  EXPECT_EQ(Image.Writes.at(0)[0], 0xFF0F00u);
  // An address is the same one wherever the region lies.
  OpenImage Other = Image;
  EXPECT_EQ(Image.Addresses.size(), 1u);
  Other.Bytes.at(0)[17] ^= 0x55;
  EXPECT_EQ(Image.written(0, Other), Other.written(0, Image));
  Other.Addresses.begin()->second ^= 1;
  EXPECT_NE(Image.written(0, Other), Other.written(0, Image));
  EXPECT_EQ(Image.written(5, Other), std::vector<uint8_t>(PageBytes, 0));
}

TEST_F(OpenMemoryTest, NothingElseMayBeRead) {
  std::map<std::string, OpenSet> May;
  May["A"][0] = PageBits{0xF0};
  start(&May);
  const uint64_t A = place("A", 0), B = place("B", 0);
  EXPECT_TRUE(noteRead(A + 4, 4));
  EXPECT_FALSE(noteRead(A + 4, 8));
  EXPECT_FALSE(noteRead(A + 4096, 4));
  EXPECT_FALSE(noteRead(B, 4));
  store<float>(A + 8, 1.0f); // one's own
  EXPECT_TRUE(noteRead(A + 8, 4));
}

TEST_F(OpenMemoryTest, TheNextRunFindsNothingOfThisOne) {
  const uint64_t A = place("A", 0);
  const float Was = load<float>(A);
  store<float>(A, 7.0f);
  Open.reset();
  Mem.clear();
  start();
  const uint64_t Again = place("A", 0);
  EXPECT_EQ(load<float>(Again), Was);
  EXPECT_EQ(Memory::known(*Mem.find(Again), Again - Mem.find(Again)->Begin).WriteStamp, 0u);
  EXPECT_TRUE(Open->images().at("A").Writes.empty());
}

TEST_F(OpenMemoryTest, OnlyAsMuchIsTouchedAsARunCanHave) {
  const uint64_t A = place("A", 0);
  Region *R = Mem.find(A);
  size_t Pages = 0;
  while (Mem.touch(*R, A + Pages * PageBytes, 4) && Pages <= Memory::MostOpenPages)
    ++Pages;
  EXPECT_EQ(Pages, Memory::MostOpenPages);
}

} // namespace
