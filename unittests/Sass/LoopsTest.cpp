//===- LoopsTest.cpp - Loops in flows of control ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using Flow = SassInstruction::Flow;

static std::vector<SassInstruction> code(unsigned Count,
                                         std::vector<std::tuple<unsigned, unsigned, bool>> Jumps) {
  std::vector<SassInstruction> Out(Count);
  for (auto [From, To, Conditional] : Jumps) {
    Out[From].Goes = Flow::Jump;
    Out[From].Target = To * 16;
    Out[From].Conditional = Conditional;
  }
  return Out;
}

TEST(Loops, NestAndOrder) {
  // 0 [1 2 [3 4] 5] 6
  std::vector<MachineLoop> L = loopsOf(flowOf(code(7, {{4, 3, true}, {5, 1, true}})));
  ASSERT_EQ(L.size(), 2u);
  EXPECT_EQ(L[0].Body, (std::vector<unsigned>{1, 2, 3, 4, 5}));
  EXPECT_EQ(L[0].Entry, 1u);
  EXPECT_EQ(L[1].Body, (std::vector<unsigned>{3, 4}));
  EXPECT_EQ(L[1].Parent, 0);
  EXPECT_EQ(L[1].Depth, 1u);
}

TEST(Loops, AlwaysOnward) {
  SassFlow F = flowOf(code(3, {{1, 0, false}}));
  EXPECT_EQ(F[1].size(), 1u); // not to 2
  EXPECT_EQ(loopsOf(F).size(), 1u);
}

TEST(Loops, PartThatStandsBehindTheEnd) {
  // 0 1 2 3: a loop whose body has a part at 6, behind the code that follows it.
  std::vector<MachineLoop> L =
      loopsOf(flowOf(code(8, {{2, 6, true}, {3, 1, true}, {5, 5, false}, {7, 3, false}})));
  ASSERT_EQ(L.size(), 2u);
  EXPECT_EQ(L[0].Body, (std::vector<unsigned>{1, 2, 3, 6, 7}));
  EXPECT_EQ(L[1].Body, (std::vector<unsigned>{5}));
}

TEST(Loops, TwoEntries) {
  // 0 -> 1 or 3; 1 2 3 4 -> 1.
  std::vector<MachineLoop> L = loopsOf(flowOf(code(6, {{0, 3, true}, {4, 1, true}})));
  ASSERT_GE(L.size(), 1u);
  EXPECT_EQ(L[0].Body, (std::vector<unsigned>{1, 2, 3, 4}));
}

TEST(Loops, Stops) {
  std::vector<SassInstruction> C = code(3, {});
  C[1].Goes = Flow::Stop;
  EXPECT_TRUE(flowOf(C)[1].empty());
  C[1].Conditional = true;
  EXPECT_EQ(flowOf(C)[1].size(), 1u);
  EXPECT_TRUE(loopsOf({}).empty());
}
