//===- DecodeTest.cpp - Words of real instructions ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The words are what nvcc 13.0 has made, the text in the comments is nvdisasm's for them.

#include "Decode.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using Flow = SassInstruction::Flow;

TEST(Decode, LoadIntoRegisters) {
  // LDG.E.128.CONSTANT R132, desc[UR8][R132.64] ; sm_100
  SassInstruction I = decodeInstruction(0x0000000884847981, 0x001ea4000c1e9d00, 100, 0x770);
  EXPECT_EQ(I.Class, SassClass::LDG);
  EXPECT_EQ(I.Width, 16u);
  EXPECT_EQ(I.Destination, 132);
  EXPECT_EQ(I.DestinationCount, 4u);
  EXPECT_EQ(I.Raises, 2);
  EXPECT_EQ(I.WaitsFor, 1);
  EXPECT_FALSE(I.Conditional);
  EXPECT_EQ(I.Text, "LDG.128 R132");
  // @!P0 LDG.E.128.CONSTANT R132, [R152.64] ; sm_80
  I = decodeInstruction(0x0000000498848981, 0x0000a2000c1e9d00, 80, 0xff0);
  EXPECT_EQ(I.Class, SassClass::LDG);
  EXPECT_TRUE(I.Conditional);
  EXPECT_EQ(I.RaisesForSources, 0);
}

TEST(Decode, StoreIntoSharedMemory) {
  // STS.128 [R2.X16], R132 ; sm_80
  SassInstruction I = decodeInstruction(0x0000008402007388, 0x0041e8000000cc00, 80, 0x370);
  EXPECT_EQ(I.Class, SassClass::STS);
  EXPECT_EQ(I.StoredRegister, 132);
  EXPECT_EQ(I.Width, 16u);
  EXPECT_EQ(I.Destination, -1);
  EXPECT_EQ(I.WaitsFor, 1 << 2);
}

TEST(Decode, AsynchronousCopyAndGroups) {
  // LDGSTS.E.BYPASS.128 [R87], [R2.64] ; sm_80
  SassInstruction I = decodeInstruction(0x0000000002577fae, 0x0003e2000b901c46, 80, 0x6a0);
  EXPECT_EQ(I.Class, SassClass::LDGSTS);
  EXPECT_EQ(I.Destination, -1);
  EXPECT_EQ(I.Raises, -1);
  // LDGDEPBAR ; sm_100
  I = decodeInstruction(0x00000000000079af, 0x000e220000000000, 100, 0x690);
  EXPECT_EQ(I.Class, SassClass::LDGDEPBAR);
  EXPECT_EQ(I.Raises, 0);
  // DEPBAR.LE SB0, 0x1 ; sm_100
  I = decodeInstruction(0x000080400000791a, 0x000fc80000000000, 100, 0x6a0);
  EXPECT_EQ(I.Class, SassClass::DEPBAR);
  EXPECT_EQ(I.DepbarScoreboard, 0);
  EXPECT_EQ(I.DepbarCount, 1u);
}

TEST(Decode, BranchesOfBothEncodings) {
  // BRA 0x1560 ; sm_80, at 0x840
  SassInstruction I = decodeInstruction(0x00000d1000007947, 0x000fea0003800000, 80, 0x840);
  EXPECT_EQ(I.Goes, Flow::Jump);
  EXPECT_EQ(I.Target, 0x1560u);
  EXPECT_FALSE(I.Conditional);
  // @P0 BRA 0x850 ; sm_80, at 0x430
  I = decodeInstruction(0x0000041000000947, 0x000fea0003800000, 80, 0x430);
  EXPECT_EQ(I.Target, 0x850u);
  EXPECT_TRUE(I.Conditional);
  // BRA.U !UP0, 0x8f0 ; sm_100, at 0x620: the predicate is not where that of others is.
  I = decodeInstruction(0x0000000108b07547, 0x000ff6000b800000, 100, 0x620);
  EXPECT_EQ(I.Target, 0x8f0u);
  EXPECT_TRUE(I.Conditional);
  // @P0 BRA.U.ANY, backwards ; sm_100, at 0x370
  I = decodeInstruction(0xfffffffd00ec0947, 0x002fea000393ffff, 100, 0x370);
  EXPECT_EQ(I.Target, 0x330u);
  EXPECT_TRUE(I.Conditional);
}

TEST(Decode, WhatIsNoGeneralRegister) {
  // ISETP.GE.AND P0, PT, R0, 0x1, PT ; sm_80
  EXPECT_EQ(decodeInstruction(0x000000010000780c, 0x000fe40003f06270, 80, 0).Destination, -1);
  // BAR.SYNC.DEFER_BLOCKING 0x0
  EXPECT_EQ(decodeInstruction(0x0000000000007b1d, 0x000fe20000010000, 80, 0).Class, SassClass::BAR);
}

TEST(Decode, MeaningDependsOnTheGpu) {
  // 0x035 is HFMA2.MMA up to sm_90, and an addition of integers on sm_120.
  EXPECT_EQ(decodeInstruction(0x0000000105047235, 0x000fe20000000006, 80, 0).Class,
            SassClass::HFMA2);
  EXPECT_EQ(decodeInstruction(0x0000000105047235, 0x000fe20000000006, 120, 0).Class,
            SassClass::Other);
}

TEST(Decode, ArithmeticInFormOnly) {
  // `HFMA2.MMA R4, -RZ, RZ, ...` makes a constant: no compute.
  SassInstruction I = decodeInstruction(0x000000ffff047435, 0x000fe200000001ff, 80, 0);
  EXPECT_EQ(I.Class, SassClass::Other);
  EXPECT_TRUE(I.MakesConstant);
  // `@!PT LDS RZ, [RZ]` never runs.
  EXPECT_EQ(decodeInstruction(0x00000000fffff984, 0, 80, 0).Class, SassClass::Other);
}

TEST(Decode, Names) {
  EXPECT_EQ(classOfMnemonic("LDG.E.128.CONSTANT"), SassClass::LDG);
  EXPECT_EQ(classOfMnemonic("LDGSTS.E"), SassClass::LDGSTS);
  EXPECT_EQ(classOfMnemonic("IADD3"), SassClass::Other);
  EXPECT_EQ(capabilityOf("sm_90a"), 90u);
  EXPECT_EQ(capabilityOf("compute_90"), 0u);
  EXPECT_EQ(roleOf(SassClass::HMMA), SassRole::Tensor);
}
