//===- OverlapTest.cpp - Windows of loads ------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Loops are written here instruction by instruction, with their scoreboards, as ptxas would write
// them.

#include "Loops.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using Flow = SassInstruction::Flow;

namespace {

class Kernel {
public:
  SassFunction F;
  unsigned Line = 10; ///< of what is added next

  Kernel &add(SassClass C, llvm::StringRef Text) {
    SassInstruction I;
    I.Address = F.Code.size() * 16;
    I.Class = C;
    I.Text = Text.str();
    I.Line = Line;
    F.Code.push_back(I);
    return *this;
  }
  SassInstruction &last() { return F.Code.back(); }
  Kernel &ldg(int Register, int Scoreboard) {
    add(SassClass::LDG, "LDG R" + std::to_string(Register));
    last().Destination = Register;
    last().DestinationCount = 1;
    last().Raises = int8_t(Scoreboard);
    return *this;
  }
  Kernel &sts(int Register, int Waits = -1) {
    add(SassClass::STS, "STS R" + std::to_string(Register));
    last().StoredRegister = Register;
    return waits(Waits);
  }
  Kernel &waits(int Scoreboard) {
    if (Scoreboard >= 0)
      last().WaitsFor = uint8_t(1 << Scoreboard);
    return *this;
  }
  Kernel &ffma(unsigned Count = 1) {
    for (unsigned I = 0; I != Count; ++I)
      add(SassClass::FFMA, "FFMA R50");
    return *this;
  }
  Kernel &bar(unsigned At) {
    add(SassClass::BAR, "BAR.SYNC");
    last().Line = At;
    return *this;
  }
  Kernel &ldgsts() { return add(SassClass::LDGSTS, "LDGSTS"); }
  Kernel &commit() {
    add(SassClass::LDGDEPBAR, "LDGDEPBAR");
    last().Raises = 0;
    return *this;
  }
  Kernel &depbar(unsigned Count) {
    add(SassClass::DEPBAR, "DEPBAR.LE SB0");
    last().DepbarScoreboard = 0;
    last().DepbarCount = Count;
    return *this;
  }
  unsigned here() const { return unsigned(F.Code.size()); }
  Kernel &jump(bool Conditional, unsigned To) {
    add(SassClass::BRA, Conditional ? "@P0 BRA" : "BRA");
    last().Goes = Flow::Jump;
    last().Conditional = Conditional;
    last().Target = To * 16;
    return *this;
  }
  /// Around so many instructions.
  Kernel &skip(bool Conditional, unsigned Count) { return jump(Conditional, here() + 1 + Count); }
  Kernel &back(unsigned To) {
    jump(true, To);
    Line = 30;
    return add(SassClass::Other, "EXIT");
  }

  SassLoop loop() const {
    SassSourceLoop Source;
    Source.Line = 10;
    Source.EndLine = 20;
    std::optional<SassLoop> L = analyseLoop(F, Source);
    EXPECT_TRUE(L.has_value());
    return L.value_or(SassLoop());
  }
};

Kernel starts() {
  Kernel K;
  K.Line = 5;
  K.add(SassClass::Other, "MOV");
  K.Line = 10;
  return K;
}

} // namespace

TEST(Overlap, PlainLoopIsSerialized) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).sts(4, 2).bar(12).ffma(8).bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Overlap, SassOverlap::Serialized);
  EXPECT_EQ(L.Why, "no compute between a load of the next tile, LDG at 0010, and STS at 0020, "
                   "which waits for it");
  EXPECT_EQ(L.Steps, 1u);
  EXPECT_EQ(L.Compute, 8u);
  EXPECT_EQ(L.EndedBy, SassClass::STS);
}

TEST(Overlap, NextTileInRegisters) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).ffma(8).sts(4, 2).bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Overlapped);
}

TEST(Overlap, LoadsThatSink) {
  // Only 3 of 8 are behind the load.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ffma(5).ldg(4, 2).ffma(3).sts(4, 2).bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Overlap, SassOverlap::Serialized);
  EXPECT_EQ(L.Why, "less than half of a tile's compute between a load of the next tile, LDG at "
                   "0060, and STS at 00a0, which waits for it");
}

TEST(Overlap, ScoreboardOfAnotherLoad) {
  // The second instruction of compute waits for a read of the tile; the load has the same
  // scoreboard.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).ffma(1).ffma(1).waits(2).ffma(8).sts(4, 2).bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Overlap, SassOverlap::Serialized);
  EXPECT_NE(L.Why.find("without need, for other loads have the same scoreboard, 2"),
            std::string::npos)
      << L.Why;
}

TEST(Overlap, OneOfTwo) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).ffma(8).ldg(5, 3).sts(4, 2).sts(5, 3).bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Overlap, SassOverlap::Partial);
  EXPECT_EQ(L.Loads, 2u);
  EXPECT_EQ(L.OverlappingLoads, 1u);
}

TEST(Overlap, BarrierBetween) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).bar(12).ffma(8).sts(4, 2).bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Overlap, SassOverlap::Partial);
  EXPECT_TRUE(L.BarrierBetween);
  EXPECT_FALSE(L.WaitBetween);
}

TEST(Overlap, GroupsOfCopies) {
  // Two stages: wait for the tile before, which may be under way with the next one.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldgsts().commit().depbar(1).bar(12).ffma(8).bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Overlap, SassOverlap::Overlapped);
  EXPECT_TRUE(L.WaitBetween);
  EXPECT_EQ(L.Why, "the load of the next tile is under way during the compute; the wait and the "
                   "barrier between are for the tile before");
  // The same with a wait for all groups.
  K = starts();
  K.ldgsts().commit().depbar(0).bar(12).ffma(8).bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Serialized);
  EXPECT_EQ(K.loop().EndedBy, SassClass::DEPBAR);
  // The wait at the top of the loop, three stages.
  K = starts();
  K.depbar(1).bar(12).ldgsts().commit().ffma(8).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Overlapped);
  EXPECT_FALSE(K.loop().BarrierBetween);
}

TEST(Overlap, CopiesWithoutAGroupAreNotWaitedFor) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldgsts().depbar(0).bar(12).ffma(8).commit().bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Overlapped);
}

TEST(Overlap, UnrolledByTheCompiler) {
  // Two tiles per turn, each barrier twice; the load of the second one is in front of the first
  // one's compute.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).ldg(5, 3).sts(4, 2).bar(12).ffma(8).bar(14).sts(5, 3).bar(12).ffma(8).bar(14).back(
      Top);
  SassLoop L = K.loop();
  EXPECT_EQ(L.Steps, 2u);
  EXPECT_EQ(L.Overlap, SassOverlap::Partial);
  EXPECT_EQ(L.OverlappingLoads, 1u);
  EXPECT_EQ(L.Why.find("the loop has been unrolled 2 times: "), 0u);
}

TEST(Overlap, UnrolledToTheEnd) {
  Kernel K = starts();
  K.ldg(4, 2).sts(4, 2).bar(12).ffma(8).bar(14).ldg(5, 3).sts(5, 3).bar(12).ffma(8).bar(14);
  SassLoop L = K.loop();
  EXPECT_TRUE(L.Unrolled);
  EXPECT_EQ(L.Overlap, SassOverlap::Serialized);
}

TEST(Overlap, InnerLoopCountsMore) {
  // The window holds 2 of 4 instructions, but not those of the loop within.
  Kernel K = starts();
  unsigned Top = K.here();
  unsigned Inner;
  K.ldg(4, 2).ffma(2).sts(4, 2).bar(12);
  Inner = K.here();
  K.ffma(2).add(SassClass::BRA, "@P1 BRA");
  K.last().Goes = Flow::Jump;
  K.last().Conditional = true;
  K.last().Target = Inner * 16;
  K.bar(14).back(Top);
  SassLoop L = K.loop();
  EXPECT_TRUE(L.ComputeInLoops);
  EXPECT_EQ(L.Overlap, SassOverlap::Serialized);
  EXPECT_EQ(L.Compute, 4u);
}

TEST(Overlap, AroundTheStoreIsNoWay) {
  // Whether there is a next tile decides about the load and about the store; each has a branch
  // around it.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ffma(8).ldg(4, 2).skip(true, 1).sts(4, 2).bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Serialized);
}

TEST(Overlap, StoredInTheNextTurn) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.sts(4, 2).bar(12).ldg(4, 2).ffma(8).bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Overlapped);
  EXPECT_EQ(K.loop().EndedBy, std::nullopt);
}

TEST(Overlap, WaitForTheLastTileOnTheOtherSide) {
  // if (has_next) wait<1>; else wait<0>;
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldgsts().commit().skip(true, 2).depbar(1).skip(false, 1).depbar(0).bar(12).ffma(8).bar(14).back(
      Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Overlapped);
}

TEST(Overlap, AroundAWaitIsNoWay) {
  // if (some) wait<0>;
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldgsts().commit().skip(true, 1).depbar(0).bar(12).ffma(8).bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Serialized);
}

TEST(Overlap, ConvertedOnTheWay) {
  // What is loaded goes through a conversion: the loads still are those of the tile. What goes
  // elsewhere is not.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).ldg(7, 3).ffma(8).add(SassClass::Other, "PRMT R6, R4").waits(2);
  K.last().Destination = 6;
  K.last().DestinationCount = 1;
  K.last().Sources = {{4, 1}};
  K.sts(6).bar(14).back(Top);
  EXPECT_EQ(K.loop().Loads, 1u);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::Overlapped);
}

TEST(Overlap, WhatCannotBeTold) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.add(SassClass::UBLKCP, "UBLKCP")
      .add(SassClass::SYNCS, "SYNCS.PHASECHK.TRANS64.TRYWAIT")
      .ffma(8)
      .bar(14)
      .back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::CannotTell);
  K = starts();
  K.ffma(8).bar(14).back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::NoLoads);
  K = starts();
  K.ldg(4, 2).ffma(8).sts(4, 2).bar(14).add(SassClass::BRA, "BRX");
  K.last().Goes = Flow::Indirect;
  K.last().Conditional = true;
  K.back(Top);
  EXPECT_EQ(K.loop().Overlap, SassOverlap::CannotTell);
}

TEST(Overlap, TheLoopOfTheSource) {
  // Two loops; the one of the lines that are asked for.
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).sts(4, 2).bar(12).ffma(8).bar(14).back(Top);
  K.Line = 40;
  Top = K.here();
  K.ldg(4, 2).ffma(16).sts(4, 2).bar(44).back(Top);
  EXPECT_EQ(K.loop().Compute, 8u);
  SassSourceLoop Second;
  Second.Line = 40;
  Second.EndLine = 45;
  EXPECT_EQ(analyseLoop(K.F, Second)->Compute, 16u);
  SassSourceLoop None;
  None.Line = 60;
  None.EndLine = 70;
  EXPECT_FALSE(analyseLoop(K.F, None).has_value());
  // Not known: the one with most compute.
  EXPECT_EQ(analyseLoop(K.F, SassSourceLoop())->Compute, 16u);
}

TEST(Overlap, ExcerptLeavesOutWhatIsAlike) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldg(4, 2).ffma(20).sts(4, 2).bar(14).back(Top);
  SassLoop L = K.loop();
  ASSERT_EQ(L.Excerpt.size(), 8u);
  EXPECT_EQ(L.Excerpt[0].Mark, SassMark::Load);
  EXPECT_EQ(L.Excerpt[3].Skipped, 17u);
  EXPECT_EQ(L.Excerpt[3].Text, "17 FFMA");
  EXPECT_EQ(L.Excerpt[5].Mark, SassMark::Store);
}

TEST(Overlap, ReadsPerCompute) {
  Kernel K = starts();
  unsigned Top = K.here();
  K.ldgsts().commit();
  for (int I = 0; I < 3; ++I)
    K.add(SassClass::LDS, "LDS.128 R20");
  K.ffma(6).depbar(0).bar(14).back(Top);
  EXPECT_EQ(K.loop().ReadsPerCompute, 0.5);
  Kernel Only = starts(); // no arithmetic: the reads are what there is to do
  Top = Only.here();
  Only.ldgsts().commit().add(SassClass::LDS, "LDS R20").depbar(0).bar(14).back(Top);
  EXPECT_EQ(Only.loop().ReadsPerCompute, std::nullopt);
}
