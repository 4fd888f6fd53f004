//===- ParseTest.cpp - The text of asm statements -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MockWarp.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace cuda_pipeline::emulator;

namespace {

TEST(Parse, OperandsAndEscapes) {
  EXPECT_EQ(evaluate("add.u32 $0, $1, ${2:x};", {32, 32, 32}, {0, 5, 6}), 11u);
  EXPECT_EQ(evaluate("mov.u32 $0, %laneid;", {32}, {9}), 0u);
  // A name with a dollar sign; ${:uid} makes labels unique.
  EXPECT_EQ(evaluate("{ .reg .b32 a$$b; mov.b32 a$$b, 7; bra L${:uid}; mov.b32 a$$b, 8;"
                     " L${:uid}: mov.b32 $0, a$$b; }",
                     {32}, {0}),
            7u);
  EXPECT_EQ(evaluate("", {32}, {3}), 3u);
  EXPECT_EQ(evaluate("$( mov.b32 $0, 4; $)", {32}, {3}), 4u);
}

TEST(Parse, CommentsAndSpace) {
  EXPECT_EQ(evaluate("// first\n  mov.b32 /* in\n between */ $0 , 4 ; // last", {32}, {0}), 4u);
  EXPECT_EQ(evaluate("add\n.s32\t$0,$1,-1;\r\n", {32, 32}, {0, 5}), 4u);
  EXPECT_EQ(evaluate(";;mov.b32 $0, 1;;", {32}, {0}), 1u);
}

TEST(Parse, Constants) {
  auto Value = [](StringRef Text) {
    return evaluate(("mov.b64 $0, " + Text + ";").str(), {64}, {0});
  };
  EXPECT_EQ(Value("0x1F"), 31u);
  EXPECT_EQ(Value("017"), 15u);
  EXPECT_EQ(Value("0b101"), 5u);
  EXPECT_EQ(Value("4294967296"), uint64_t(1) << 32);
  EXPECT_EQ(Value("42U"), 42u);
  EXPECT_EQ(Value("-3"), ~uint64_t(2));
  EXPECT_EQ(Value("(1 << 4) + 2 * 3"), 22u);
  EXPECT_EQ(Value("~0 & 0xff | 256 >> 0"), 0x1ffu);
  EXPECT_EQ(Value("WARP_SZ * 2"), 64u);
  EXPECT_EQ(Value("0d3FF0000000000000"), 0x3ff0000000000000u);
  EXPECT_EQ(evaluate("mov.f32 $0, 0f3F800000;", {32}, {0}), 0x3f800000u);
  EXPECT_EQ(evaluate("mov.f32 $0, -0f3F800000;", {32}, {0}), 0xbf800000u);
  EXPECT_EQ(evaluate("mov.f32 $0, -1.5;", {32}, {0}), 0xbfc00000u);
  EXPECT_EQ(evaluate("mov.f64 $0, 2.5e-1;", {64}, {0}), 0x3fd0000000000000u);
}

TEST(Parse, Registers) {
  EXPECT_EQ(evaluate("{ .reg .b32 r<4>; .reg .pred p, %q; mov.b32 r0, 1; mov.b32 r3, 2;"
                     " add.u32 $0, r0, r3; }",
                     {32}, {0}),
            3u);
  EXPECT_EQ(evaluate("{ .reg .v2 .b32 v; mov.b64 v, $1; sub.u32 $0, v.y, v.x; }", {32, 64},
                     {0, uint64_t(9) << 32 | 4}),
            5u);
  // An inner name hides the outer one, which comes back.
  EXPECT_EQ(evaluate(".reg.b32 a; mov.b32 a, 1; { .reg .b32 a; mov.b32 a, 2; } mov.b32 $0, a;",
                     {32}, {0}),
            1u);
  EXPECT_EQ(evaluate("{ .reg .pred p; setp.ne.b32 p, $1, 0; @p mov.b32 $0, 1; @!p mov.b32 $0, 2; }",
                     {32, 32}, {0, 0}),
            2u);
}

TEST(Parse, Loops) {
  EXPECT_EQ(evaluate("{ .reg .pred p; .reg .b32 i; mov.b32 i, 0; mov.b32 $0, 0;"
                     " AGAIN: add.u32 $0, $0, i; add.u32 i, i, 1; setp.lt.u32 p, i, $1;"
                     " @p bra AGAIN; }",
                     {32, 32}, {0, 10}),
            45u);
  // Labels belong to their scope: the inner one is nearer.
  EXPECT_EQ(evaluate("{ mov.b32 $0, 1; { bra.uni L; mov.b32 $0, 2; L: } add.u32 $0, $0, 10; bra L;"
                     " add.u32 $0, $0, 100; L: }",
                     {32}, {0}),
            11u);
}

TEST(Parse, LoopsGiveOthersTheirTurn) {
  // Lane 0 spins on what lane 1 writes later.
  MockWarp Warp(2);
  std::unique_ptr<PtxBlock> Block =
      parsed("{ .reg .pred p, q; .reg .b32 v; mov.u32 v, %laneid; setp.eq.u32 q, v, 1; @q "
             "st.shared.u32 [$0], 1;"
             " W: ld.volatile.shared.u32 v, [$0]; setp.eq.u32 p, v, 0; @p bra W; }",
             {32});
  std::vector<std::vector<uint64_t>> O(2, {Warp.sharedAddress()});
  EXPECT_TRUE(Warp.run(*Block, O)) << Warp.Failure;
}

TEST(Parse, Errors) {
  EXPECT_EQ(parseError("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0}, $0, $0, p;", {32}),
            "'wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16' is not emulated");
  EXPECT_EQ(parseError("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], 16;", {32}),
            "'mbarrier.expect_tx.relaxed.cta.shared::cta.b64' is not emulated");
  EXPECT_EQ(parseError("cp.async.bulk.commit_group;"),
            "'cp.async.bulk.commit_group' is not emulated");
  EXPECT_EQ(
      parseError("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[$0], [$1, {$0, $0}], [$0];",
                 {32, 64}),
      "'cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes': cannot be "
      "parsed at ','");
  EXPECT_EQ(parseError("tcgen05.ld.sync;"), "'tcgen05.ld.sync' is not emulated");
  EXPECT_EQ(parseError("add.u32.frob $0, $0, $0;", {32}), "'add.u32.frob' is not emulated");
  EXPECT_EQ(parseError("add.u32 $0, $0;", {32}), "'add.u32': 2 operands, expected 3");
  EXPECT_EQ(parseError("add.u64 $0, $0, $0;", {32}),
            "'add.u64': a result of 64 bits in a register of 32");
  EXPECT_EQ(parseError("mov.u32 $0, foo;", {32}),
            "'mov.u32': 'foo' is not declared in the asm statement");
  EXPECT_EQ(parseError("mov.u32 $0, [$0];", {32}), "'mov.u32': an operand of the wrong kind");
  EXPECT_EQ(parseError("mov.u32 $0, %pm7;", {32}),
            "'mov.u32': '%pm7' is not declared in the asm statement");
  EXPECT_EQ(parseError("mov.u32 $3, 1;", {32}), "the asm statement has no operand '%3'");
  EXPECT_EQ(parseError("mov.u32 $0, 1", {32}), "'mov.u32': cannot be parsed at ''");
  EXPECT_EQ(parseError("bra L;"), "'bra': there is no label 'L'");
  EXPECT_EQ(parseError("L: L: bra L;"), "the label 'L' is defined twice");
  EXPECT_EQ(parseError("{ bar.sync 0;"),
            "the PTX of an asm statement opens a '{' that it does not close");
  EXPECT_EQ(parseError("}"), "the PTX of an asm statement closes a '}' that it has not opened");
  EXPECT_EQ(parseError(".shared .b32 x;"), "'.shared.b32' is not emulated");
  EXPECT_EQ(parseError(".reg .b32 x, x;"), "the register 'x' is declared twice");
  EXPECT_EQ(parseError(".reg .b32 x<5000>;"), "an asm statement with more than 1024 registers");
  EXPECT_EQ(parseError("@$0 bar.sync 0;", {32}),
            "a guard that is no predicate, in front of 'bar.sync'");
  EXPECT_EQ(parseError("mov.b32 $\1, 1;"),
            "a '$' in the PTX of an asm statement that stands for nothing");
  EXPECT_EQ(parseError("/* no end"), "a comment in PTX that does not end");
  EXPECT_EQ(parseError("mov.b32 $0, \"x\";", {32}), "a character that PTX does not have: '\"'");
  EXPECT_EQ(parseError("cp.async.cg.shared.global [$0], [$1], 8;", {32, 64}),
            "'cp.async.cg.shared.global': it copies 16 bytes");
  EXPECT_EQ(parseError("addc.u32 $0, $0, $0;", {32}),
            "'addc.u32': no instruction of the same asm statement has set the carry");
  EXPECT_EQ(parseError("mov.b64 $0, $0;", {128}),
            "an asm statement with an operand of more than 64 bits is not emulated");
}

const StringRef Seeds[] = {
    "{ .reg .pred p; setp.ne.b32 p, $2, 0; @p cp.async.cg.shared.global.L2::128B [$0], [$1], 16; }",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$0,$0,$0}, {$2,$2,$2,$2}, {$2,$2}, "
    "{$0,$0,$0,$0};",
    "{ .reg .b32 r<4>; .reg .v2 .b32 v; L: mov.b64 {r0, r1}, $1; lop3.b32 r2, r0, r1, $2, 0xea;"
    " @!%p bra L; // comment\n add.f32 $0, 0f3F800000, -1.5e+3; /* x */ }",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $2, $0, $2}, [$0 + (16 << 2) - 0x10];",
    "shfl.sync.idx.b32 $0|p, $2, 0, 0x1f, 0xffffffff; atom.shared::cta.add.u32 _, [$1], ${2:x};",
    "cvt.rn.satfinite.e4m3x2.f32 $0, $2, $2; createpolicy.fractional.L2::evict_last.b64 $1, 1.0;",
};

// Whatever the text: an error of one line, or a block. (That the run of a block that parsed is safe
// is the machine's affair: addresses are checked by it.)
TEST(Parse, MutatedText) {
  const unsigned Bits[] = {32, 64, 32};
  std::mt19937 Random(7);
  StringRef Alphabet = "{}[]()<>$%.,;:|!@+-*/~&^_ \n\t\"0123456789abcdefpxLr\x01\x7f";
  auto Check = [&](StringRef Text) {
    auto Block = PtxBlock::parse(Text, Bits);
    if (Block)
      return;
    std::string Message = toString(Block.takeError());
    EXPECT_FALSE(Message.empty());
    EXPECT_EQ(Message.find('\n'), std::string::npos) << Message;
  };
  for (StringRef Seed : Seeds) {
    for (size_t N = 0; N <= Seed.size(); ++N) {
      Check(Seed.take_front(N));
      Check(Seed.drop_front(N));
    }
    for (int Round = 0; Round != 4000; ++Round) {
      std::string Text = Seed.str();
      for (unsigned Edits = Random() % 4 + 1; Edits; --Edits) {
        size_t At = Random() % (Text.size() + 1);
        switch (Random() % 4) {
        case 0:
          Text.insert(At, 1, Alphabet[Random() % Alphabet.size()]);
          break;
        case 1:
          Text.erase(At, Random() % 5);
          break;
        case 2:
          Text.insert(At, Text.substr(Random() % Text.size(), Random() % 20));
          break;
        default:
          if (At < Text.size())
            Text[At] = static_cast<char>(Random());
        }
        if (Text.empty())
          Text = " ";
      }
      Check(Text);
    }
  }
}

TEST(Parse, DeepAndLongText) {
  EXPECT_NE(parseError("mov.b32 $0, " + std::string(100000, '(') + ";", {32}), "no error");
  EXPECT_NE(parseError("mov.b32 $0, " + std::string(100000, '-') + "1;", {32}), "no error");
  EXPECT_NE(parseError(std::string(100000, '{')), "no error");
  EXPECT_NE(parseError(std::string(100000, '@')), "no error");
  EXPECT_EQ(parseError(std::string(100000, ';')), "no error");
}

} // namespace
