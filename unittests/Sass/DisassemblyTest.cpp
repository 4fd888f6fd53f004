//===- DisassemblyTest.cpp - What nvdisasm and cuobjdump print -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

static std::vector<SassFunction> twoInstructions() {
  std::vector<SassFunction> Out(1);
  Out[0].Symbol = "_Z1kPf";
  Out[0].Code.push_back(decodeInstruction(0x0000000884847981, 0x001ea4000c1e9d00, 100, 0));
  Out[0].Code.push_back(decodeInstruction(0x00000d1000007947, 0x000fea0003800000, 80, 16));
  return Out;
}

TEST(Disassembly, Nvdisasm) {
  std::vector<SassFunction> F = twoInstructions();
  ASSERT_FALSE(errorToBool(
      applyDisassembly("//--------------------- .text._Z1kPf --------------------------\n"
                       "_Z1kPf:\n"
                       ".text._Z1kPf:\n"
                       "        /*0000*/                   LDG.E.128 R132, desc[UR8][R132.64] ;\n"
                       ".L_x_0:\n"
                       "        /*0010*/              @!P1 BRA `(.L_x_0) ;\n",
                       F)));
  EXPECT_EQ(F[0].Code[0].Text, "LDG.E.128 R132, desc[UR8][R132.64]");
  // The label says nothing where nobody sees where it stands.
  EXPECT_EQ(F[0].Code[1].Text, "@!P1 BRA 0xd30");
  EXPECT_TRUE(F[0].Code[1].Conditional);
}

TEST(Disassembly, Cuobjdump) {
  std::vector<SassFunction> F = twoInstructions();
  ASSERT_FALSE(errorToBool(applyDisassembly(
      "\t\tFunction : _Z1kPf\n"
      "        /*0000*/                   FFMA R1, R2, R3, R4 ;    /* 0x0000000884847981 */\n"
      "                                                            /* 0x001ea4000c1e9d00 */\n"
      "        /*0010*/                   BRA 0xd30;               /* 0x00000d1000007947 */\n",
      F)));
  EXPECT_EQ(F[0].Code[0].Class, SassClass::FFMA); // what it says counts
  EXPECT_FALSE(F[0].Code[1].Conditional);
}

TEST(Disassembly, ThatOfOtherCode) {
  std::vector<SassFunction> F = twoInstructions();
  EXPECT_EQ(toString(applyDisassembly(
                "//--------------------- .text._Z1kPf ----\n        /*0000*/  NOP ;\n", F)),
            "the disassembler prints 1 instructions of 2");
  EXPECT_EQ(toString(applyDisassembly(
                "//--------------------- .text._Z1kPf ----\n        /*0020*/  NOP ;\n", F)),
            "the disassembler prints an instruction at 0x20 that is not in the code");
}
