//===- ArithmeticTest.cpp - Integers, floating point, conversions, selections ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MockWarp.h"
#include "Verify/Ptx/Convert.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>
#include <random>

using namespace llvm;
using namespace cuda_pipeline::emulator;

namespace {

uint64_t f(float V) { return bitCast<uint32_t>(V); }
uint64_t d(double V) { return bitCast<uint64_t>(V); }

/// Two operands of 32 bits and a result of 32.
uint64_t op(StringRef Mnemonic, uint64_t A, uint64_t B) {
  return evaluate((Mnemonic + " $0, $1, $2;").str(), {32, 32, 32}, {0, A, B});
}
uint64_t op(StringRef Mnemonic, uint64_t A) {
  return evaluate((Mnemonic + " $0, $1;").str(), {32, 32}, {0, A});
}
uint64_t op3(StringRef Mnemonic, uint64_t A, uint64_t B, uint64_t C) {
  return evaluate((Mnemonic + " $0, $1, $2, $3;").str(), {32, 32, 32, 32}, {0, A, B, C});
}
uint64_t op64(StringRef Mnemonic, uint64_t A, uint64_t B) {
  return evaluate((Mnemonic + " $0, $1, $2;").str(), {64, 64, 64}, {0, A, B});
}
const uint32_t Minus1 = 0xffffffff, Minus2 = 0xfffffffe, Least = 0x80000000, Most = 0x7fffffff;

TEST(Integer, SumsAndProducts) {
  EXPECT_EQ(op("add.s32", Most, 1), Least);
  EXPECT_EQ(op("add.sat.s32", Most, 1), Most);
  EXPECT_EQ(op("sub.sat.s32", Least, 1), Least);
  EXPECT_EQ(op64("add.u64", Minus1, 1), uint64_t(1) << 32);
  EXPECT_EQ(evaluate("add.u16 $0, $1, $1;", {16, 16}, {0, 0xffff}), 0xfffeu);
  EXPECT_EQ(op("add.s16x2", 0x7fff0001, 0x00010002), 0x80000003u);
  EXPECT_EQ(op("mul.lo.s32", 100000, 100000), 1410065408u);
  EXPECT_EQ(op("mul.hi.s32", Minus1, 5), Minus1);
  EXPECT_EQ(op("mul.hi.u32", Minus1, 5), 4u);
  EXPECT_EQ(op64("mul.hi.u64", ~uint64_t(0), ~uint64_t(0)), ~uint64_t(0) - 1);
  EXPECT_EQ(op64("mul.hi.s64", ~uint64_t(0), 7), ~uint64_t(0));
  EXPECT_EQ(evaluate("mul.wide.s32 $0, $1, $2;", {64, 32, 32}, {0, Minus2, 3}), ~uint64_t(5));
  EXPECT_EQ(evaluate("mul.wide.u16 $0, $1, $2;", {32, 16, 16}, {0, 0xffff, 0xffff}), 0xfffe0001u);
  EXPECT_EQ(
      evaluate("mad.wide.u32 $0, $1, $2, $3;", {64, 32, 32, 64}, {0, Minus1, 2, uint64_t(1) << 40}),
      (uint64_t(1) << 40) + 0x1fffffffe);
  EXPECT_EQ(op3("mad.lo.s32", 3, 4, Minus1), 11u);
  EXPECT_EQ(op3("mad.hi.sat.s32", Most, Most, Most), Most);
  EXPECT_EQ(op("mul24.lo.s32", 0x00ffffff, 3), 0xfffffffdu); // -1 * 3
  EXPECT_EQ(op3("mad24.lo.u32", 0xff000002, 3, 1), 7u);
  EXPECT_EQ(op("div.s32", uint32_t(-7), 2), uint32_t(-3));
  EXPECT_EQ(op("rem.s32", uint32_t(-7), 2), Minus1);
  EXPECT_EQ(op("div.u32", Minus1, 2), Most);
  EXPECT_EQ(op("div.s32", Least, Minus1), Least);
  op("div.s32", 1, 0); // some number
  EXPECT_EQ(op3("sad.s32", Minus2, 3, 10), 15u);
  EXPECT_EQ(op3("sad.u32", 3, Minus1, 0), Minus1 - 3);
  EXPECT_EQ(op("abs.s32", Minus2), 2u);
  EXPECT_EQ(op("neg.s32", 2), Minus2);
  EXPECT_EQ(op("min.s32", Minus1, 1), Minus1);
  EXPECT_EQ(op("min.u32", Minus1, 1), 1u);
  EXPECT_EQ(op("max.s32", Minus1, 1), 1u);
  EXPECT_EQ(op("max.relu.s32", Minus1, Minus2), 0u);
  EXPECT_EQ(op("max.s16x2", 0x0001ffff, 0xffff0000), 0x00010000u);
}

TEST(Integer, Carry) {
  // 128-bit sum and difference of words.
  const char *Sum = "{ add.cc.u32 $0, $4, $5; addc.cc.u32 $1, $4, $5; addc.u32 $2, $6, $6; }";
  MockWarp Warp(1);
  std::vector<std::vector<uint64_t>> O = {{0, 0, 0, 0, Minus1, 1, 5}};
  ASSERT_TRUE(Warp.run(*parsed(Sum, {32, 32, 32, 32, 32, 32, 32}), O));
  EXPECT_EQ(uint32_t(O[0][0]), 0u);
  EXPECT_EQ(uint32_t(O[0][1]), 1u);
  EXPECT_EQ(uint32_t(O[0][2]), 11u);
  EXPECT_EQ(evaluate("{ .reg .b64 t; sub.cc.u64 t, $1, $2; subc.u64 $0, 10, 3; }", {64, 64, 64},
                     {0, 1, 2}),
            6u);
  EXPECT_EQ(evaluate("{ .reg .b32 t; mad.lo.cc.u32 t, $1, $2, $1; madc.hi.u32 $0, $1, $2, 0; }",
                     {32, 32, 32}, {0, Minus1, 2}),
            2u);
}

TEST(Integer, Bits) {
  EXPECT_EQ(op("and.b32", 0xff00, 0x0ff0), 0x0f00u);
  EXPECT_EQ(op("or.b32", 0xff00, 0x0ff0), 0xfff0u);
  EXPECT_EQ(op("xor.b32", 0xff00, 0x0ff0), 0xf0f0u);
  EXPECT_EQ(op("not.b32", 0xff00), 0xffff00ffu);
  EXPECT_EQ(op("cnot.b32", 0), 1u);
  EXPECT_EQ(op("cnot.b32", 8), 0u);
  EXPECT_EQ(op("shl.b32", 1, 31), Least);
  EXPECT_EQ(op("shl.b32", 1, 32), 0u);
  EXPECT_EQ(op("shr.u32", Least, 31), 1u);
  EXPECT_EQ(op("shr.s32", Least, 100), Minus1);
  EXPECT_EQ(op("shr.b32", Least, 100), 0u);
  EXPECT_EQ(op3("shf.l.wrap.b32", 0x80000000, 1, 33), 3u);
  EXPECT_EQ(op3("shf.l.clamp.b32", 0x80000000, 1, 33), 0x80000000u);
  EXPECT_EQ(op3("shf.r.wrap.b32", 0x80000000, 1, 1), 0xc0000000u);
  EXPECT_EQ(op3("shf.r.clamp.b32", 0x80000000, 1, 40), 1u);
  EXPECT_EQ(op3("bfe.u32", 0x00abcd00, 8, 8), 0xcdu);
  EXPECT_EQ(op3("bfe.s32", 0x0000cd00, 8, 8), 0xffffffcdu);
  EXPECT_EQ(op3("bfe.s32", Least, 28, 20), 0xfffffff8u);
  EXPECT_EQ(op3("bfe.s32", Least, 28, 0), 0u);
  EXPECT_EQ(evaluate("bfi.b32 $0, $1, $2, 4, 8;", {32, 32, 32}, {0, 0xabc, 0xffffffff}),
            0xfffffbcfu);
  EXPECT_EQ(op("bfind.u32", 0), Minus1);
  EXPECT_EQ(op("bfind.u32", 0x10), 4u);
  EXPECT_EQ(op("bfind.shiftamt.u32", 0x10), 27u);
  EXPECT_EQ(op("bfind.s32", 0xffffffef), 4u);
  EXPECT_EQ(op("clz.b32", 0), 32u);
  EXPECT_EQ(op("clz.b32", 1), 31u);
  EXPECT_EQ(evaluate("clz.b64 $0, $1;", {32, 64}, {0, 1}), 63u);
  EXPECT_EQ(op("popc.b32", 0xf0f0), 8u);
  EXPECT_EQ(op("brev.b32", 1), Least);
  EXPECT_EQ(op3("prmt.b32", 0x33221100, 0x77665544, 0x7520), 0x77552200u);
  EXPECT_EQ(op3("prmt.b32", 0x00800000, 0, 0x000a), 0xffu); // the sign of byte 2
  EXPECT_EQ(op3("prmt.b32.f4e", 0x33221100, 0x77665544, 1), 0x44332211u);
  EXPECT_EQ(op3("prmt.b32.b4e", 0x33221100, 0x77665544, 1), 0x66770011u);
  EXPECT_EQ(op3("prmt.b32.rc8", 0x33221100, 0, 2), 0x22222222u);
  EXPECT_EQ(op3("prmt.b32.ecl", 0x33221100, 0, 2), 0x33222222u);
  EXPECT_EQ(op3("prmt.b32.ecr", 0x33221100, 0, 2), 0x22221100u);
  EXPECT_EQ(op3("prmt.b32.rc16", 0x33221100, 0, 1), 0x33223322u);
  // (a & b) | c and the exclusive or of three.
  EXPECT_EQ(evaluate("lop3.b32 $0, $1, $2, $3, 0xea;", {32, 32, 32, 32}, {0, 0xf0, 0x3c, 1}),
            0x31u);
  EXPECT_EQ(evaluate("lop3.b32 $0, $1, $2, $3, 0x96;", {32, 32, 32, 32}, {0, 0xf0, 0x3c, 1}),
            0xcdu);
  EXPECT_EQ(op3("dp4a.s32.s32", 0xff010203, 0x02030405, 100), 100u - 2 + 3 + 8 + 15);
  EXPECT_EQ(op3("dp4a.u32.s32", 0xff000000, 0xff000000, 0), uint32_t(-255));
  EXPECT_EQ(op3("dp2a.lo.s32.u32", 0xffff0002, 0x00000305, 1), 1u + 10 - 3);
  EXPECT_EQ(op3("dp2a.hi.s32.u32", 0xffff0002, 0x03050000, 1), 1u + 10 - 3);
}

TEST(Float, RoundingAndSpecialValues) {
  EXPECT_EQ(op("add.f32", f(1), f(2)), f(3));
  EXPECT_EQ(op("add.rz.f32", f(1), f(0x1p-30f)), f(1));
  EXPECT_EQ(op("add.rp.f32", f(1), f(0x1p-60f)), f(1) + 1);
  EXPECT_EQ(op("sub.rm.f32", f(1), f(0x1p-60f)), f(1) - 1);
  EXPECT_EQ(op("sub.rm.f32", f(1), f(1)), f(-0.0f));
  EXPECT_EQ(op("sub.rn.f32", f(1), f(1)), f(0));
  EXPECT_EQ(op("add.f32", f(INFINITY), f(-INFINITY)), 0x7fffffffu);
  EXPECT_EQ(op("add.sat.f32", f(0.75f), f(0.75f)), f(1));
  EXPECT_EQ(op("add.sat.f32", f(NAN), f(0.75f)), f(0));
  EXPECT_EQ(op("mul.f32", f(0x1p-100f), f(0x1p-40f)), 0x200u);
  EXPECT_EQ(op("mul.ftz.f32", f(0x1p-100f), f(0x1p-40f)), 0u);
  EXPECT_EQ(op("mul.ftz.f32", f(-0x1p-100f), f(0x1p-40f)), Least);
  EXPECT_EQ(op("add.ftz.f32", 1, 1), 0u);
  EXPECT_EQ(op("add.f32", 1, 1), 2u);
  EXPECT_EQ(op("mul.rz.f32", f(FLT_MAX), f(2)), f(FLT_MAX));
  EXPECT_EQ(op("div.rn.f32", f(1), f(3)), f(1.0f / 3));
  EXPECT_EQ(op("div.rp.f32", f(1), f(3)), f(1.0f / 3)); // that is rounded up already
  EXPECT_EQ(op("div.rm.f32", f(1), f(3)), f(1.0f / 3) - 1);
  EXPECT_EQ(op("div.full.ftz.f32", f(6), f(3)), f(2));
  EXPECT_EQ(op("rcp.approx.ftz.f32", f(4)), f(0.25f));
  EXPECT_EQ(op("rcp.rn.f32", f(0)), f(INFINITY));
  EXPECT_EQ(op("sqrt.rn.f32", f(2)), f(std::sqrt(2.0f)));
  EXPECT_EQ(op("sqrt.rm.f32", f(2)), f(std::sqrt(2.0f)));
  EXPECT_EQ(op("sqrt.rp.f32", f(2)), f(std::sqrt(2.0f)) + 1);
  EXPECT_EQ(op("rsqrt.approx.f32", f(4)), f(0.5f));
  EXPECT_EQ(op("ex2.approx.ftz.f32", f(3)), f(8));
  EXPECT_EQ(op("lg2.approx.f32", f(8)), f(3));
  EXPECT_EQ(op("sin.approx.f32", f(0)), f(0));
  EXPECT_EQ(op("cos.approx.ftz.f32", f(0)), f(1));
  EXPECT_EQ(op("tanh.approx.f32", f(0.5f)), f(float(std::tanh(0.5))));
  EXPECT_EQ(op("neg.f32", f(1)), f(-1));
  EXPECT_EQ(op("abs.f32", f(-1)), f(1));
  EXPECT_EQ(op("neg.ftz.f32", 5), Least);
  EXPECT_EQ(op("min.f32", f(NAN), f(1)), f(1));
  EXPECT_EQ(op("min.NaN.f32", f(NAN), f(1)), 0x7fffffffu);
  EXPECT_EQ(op("min.f32", f(0), f(-0.0f)), f(-0.0f));
  EXPECT_EQ(op("max.f32", f(-0.0f), f(0)), f(0));
  EXPECT_EQ(op("max.f32", f(3), f(-5)), f(3));
  EXPECT_EQ(op("max.xorsign.abs.f32", f(3), f(-5)), f(-5));
  EXPECT_EQ(op("copysign.f32", f(-0.0f), f(5)), f(-5));
  EXPECT_EQ(evaluate("{ .reg .pred p; testp.subnormal.f32 p, $1; selp.b32 $0, 1, 0, p; }", {32, 32},
                     {0, 77}),
            1u);
}

TEST(Float, FusedOrNot) {
  float A = 1 + 0x1p-12f, C = -(1 + 0x1p-11f);
  EXPECT_EQ(op3("fma.rn.f32", f(A), f(A), f(C)), f(0x1p-24f));
  EXPECT_EQ(op3("mad.f32", f(A), f(A), f(C)), f(0x1p-24f));
  EXPECT_EQ(evaluate("{ .reg .f32 t; mul.f32 t, $1, $1; add.f32 $0, t, $2; }", {32, 32, 32},
                     {0, f(A), f(C)}),
            f(0));
  EXPECT_EQ(op3("fma.rn.sat.f32", f(2), f(3), f(1)), f(1));
  EXPECT_EQ(
      evaluate("fma.rn.f64 $0, $1, $1, $2;", {64, 64, 64}, {0, d(1 + 0x1p-30), d(-(1 + 0x1p-29))}),
      d(0x1p-60));
}

// Directed rounding of doubles, and of floats, against APFloat.
TEST(Float, DirectedAgainstAPFloat) {
  const std::pair<const char *, RoundingMode> Modes[] = {{"rn", RoundingMode::NearestTiesToEven},
                                                         {"rz", RoundingMode::TowardZero},
                                                         {"rm", RoundingMode::TowardNegative},
                                                         {"rp", RoundingMode::TowardPositive}};
  std::mt19937_64 Random(3);
  MockWarp Warp(1);
  for (auto [Name, Mode] : Modes)
    for (const char *Operation : {"add", "sub", "mul", "div", "fma"}) {
      bool Fma = StringRef(Operation) == "fma";
      std::string Operands = Fma ? " $0, $1, $2, $3;" : " $0, $1, $2;";
      auto Single =
          parsed(std::string(Operation) + "." + Name + ".f32" + Operands, {32, 32, 32, 32});
      auto Double =
          parsed(std::string(Operation) + "." + Name + ".f64" + Operands, {64, 64, 64, 64});
      for (int I = 0; I != 300; ++I) {
        float X[3];
        double Y[3];
        for (int J = 0; J != 3; ++J) {
          X[J] = bitCast<float>(static_cast<uint32_t>((Random() & 0x80ffffff) | 0x3e000000));
          Y[J] = bitCast<double>((Random() & 0x801fffffffffffff) | 0x3fd0000000000000);
        }
        auto Apply = [&, Mode = Mode](APFloat A, APFloat B, APFloat C) {
          if (Fma)
            A.fusedMultiplyAdd(B, C, Mode);
          else if (StringRef(Operation) == "add")
            A.add(B, Mode);
          else if (StringRef(Operation) == "sub")
            A.subtract(B, Mode);
          else if (StringRef(Operation) == "mul")
            A.multiply(B, Mode);
          else
            A.divide(B, Mode);
          return A.bitcastToAPInt().getZExtValue();
        };
        std::vector<std::vector<uint64_t>> O = {{0, f(X[0]), f(X[1]), f(X[2])}};
        ASSERT_TRUE(Warp.run(*Single, O));
        ASSERT_EQ(O[0][0], Apply(APFloat(X[0]), APFloat(X[1]), APFloat(X[2])))
            << Operation << Name << " " << X[0] << " " << X[1] << " " << X[2];
        O = {{0, d(Y[0]), d(Y[1]), d(Y[2])}};
        ASSERT_TRUE(Warp.run(*Double, O));
        ASSERT_EQ(O[0][0], Apply(APFloat(Y[0]), APFloat(Y[1]), APFloat(Y[2]))) << Operation << Name;
      }
    }
}

TEST(Float, RootsOfDoubles) {
  auto Root = [](const char *Mode, double V) {
    return bitCast<double>(
        evaluate((Twine("sqrt.") + Mode + ".f64 $0, $1;").str(), {64, 64}, {0, d(V)}));
  };
  for (double V : {2.0, 3.0, 4.0, 1e-310, 1.5e-323, 1e300, 7.0}) {
    double Down = Root("rm", V), Up = Root("rp", V), Near = Root("rn", V);
    EXPECT_EQ(Near, std::sqrt(V));
    EXPECT_TRUE(Down == Near || Up == Near);
    if (V == 4)
      EXPECT_EQ(Down, Up);
    else
      EXPECT_EQ(std::nextafter(Down, 1e308), Up) << V;
    EXPECT_EQ(Root("rz", V), Down);
  }
}

TEST(Float, Pairs) {
  uint64_t A = f(2) << 32 | f(3), B = f(5) << 32 | f(-1);
  EXPECT_EQ(op64("add.rn.f32x2", A, B), f(7) << 32 | f(2));
  EXPECT_EQ(op64("mul.f32x2", A, B), f(10) << 32 | f(-3));
  EXPECT_EQ(evaluate("fma.rn.ftz.f32x2 $0, $1, $2, $1;", {64, 64, 64}, {0, A, B}),
            f(12) << 32 | f(0));
  EXPECT_EQ(parseError("max.f32x2 $0, $0, $0;", {64}), "'max.f32x2' is not emulated");
}

TEST(Half, Pairs) {
  auto H = [](float V) { return uint32_t(floatToHalf(V)); };
  auto Pair = [&](float Low, float High) { return H(High) << 16 | H(Low); };
  EXPECT_EQ(op("add.f16x2", Pair(1, -2), Pair(3, 5)), Pair(4, 3));
  EXPECT_EQ(op("sub.rn.f16x2", Pair(1, -2), Pair(3, 5)), Pair(-2, -7));
  EXPECT_EQ(op("mul.f16x2", Pair(60000, 3), Pair(2, 0.5f)), Pair(INFINITY, 1.5f));
  EXPECT_EQ(op3("fma.rn.f16x2", Pair(2, 3), Pair(4, 5), Pair(1, -15)), Pair(9, 0));
  EXPECT_EQ(op3("fma.rn.relu.f16x2", Pair(2, -3), Pair(4, 5), Pair(1, 1)), Pair(9, 0));
  EXPECT_EQ(op3("fma.rn.sat.f16x2", Pair(2, -3), Pair(4, 5), Pair(1, 1)), Pair(1, 0));
  EXPECT_EQ(op("max.f16x2", Pair(2, -3), Pair(4, -5)), Pair(4, -3));
  EXPECT_EQ(op("min.NaN.f16x2", Pair(NAN, -3), Pair(4, -5)), H(-5) << 16 | 0x7fffu);
  EXPECT_EQ(op("neg.f16x2", Pair(2, -3)), Pair(-2, 3));
  EXPECT_EQ(op("abs.f16x2", Pair(2, -3)), Pair(2, 3));
  EXPECT_EQ(op("ex2.approx.f16x2", Pair(2, -1)), Pair(4, 0.5f));
  EXPECT_EQ(op("tanh.approx.f16x2", Pair(0, 100)), Pair(0, 1));
  EXPECT_EQ(evaluate("add.f16 $0, $1, $2;", {16, 16, 16}, {0, 1, 1}), 2u);
  EXPECT_EQ(evaluate("add.ftz.f16 $0, $1, $2;", {16, 16, 16}, {0, 1, 1}), 0u);
  auto B = [](float V) { return uint32_t(floatToBFloat16(V)); };
  EXPECT_EQ(op3("fma.rn.bf16x2", B(2) << 16 | B(3), B(4) << 16 | B(5), B(1) << 16 | B(2)),
            B(9) << 16 | B(17));
  EXPECT_EQ(evaluate("fma.rn.relu.bf16 $0, $1, $1, $2;", {16, 16, 16}, {0, B(2), B(-8)}), 0u);
  EXPECT_EQ(op("max.bf16x2", B(2) << 16 | B(-3), B(4) << 16 | B(-5)), B(4) << 16 | B(-3));
}

TEST(Select, Comparisons) {
  auto Test = [](StringRef Comparison, uint64_t A, uint64_t B) {
    return evaluate(
        ("{ .reg .pred p; setp." + Comparison + " p, $1, $2; selp.u32 $0, 1, 0, p; }").str(),
        {32, 32, 32}, {0, A, B});
  };
  EXPECT_EQ(Test("lt.s32", Minus1, 1), 1u);
  EXPECT_EQ(Test("lt.u32", Minus1, 1), 0u);
  EXPECT_EQ(Test("lo.u32", 1, Minus1), 1u);
  EXPECT_EQ(Test("hs.u32", 1, 1), 1u);
  EXPECT_EQ(Test("hi.u32", 1, 1), 0u);
  EXPECT_EQ(Test("ne.b32", 1, 1), 0u);
  EXPECT_EQ(Test("eq.f32", f(0), f(-0.0f)), 1u);
  EXPECT_EQ(Test("ne.f32", f(NAN), f(1)), 0u);
  EXPECT_EQ(Test("neu.f32", f(NAN), f(1)), 1u);
  EXPECT_EQ(Test("ge.f32", f(NAN), f(1)), 0u);
  EXPECT_EQ(Test("geu.f32", f(NAN), f(1)), 1u);
  EXPECT_EQ(Test("num.f32", f(2), f(1)), 1u);
  EXPECT_EQ(Test("nan.f32", f(2), f(NAN)), 1u);
  EXPECT_EQ(Test("gt.ftz.f32", 5, 0), 0u);
  EXPECT_EQ(Test("gt.f32", 5, 0), 1u);
  // Two results, and a third predicate.
  EXPECT_EQ(
      evaluate("{ .reg .pred p, q, r; setp.eq.u32 r, 1, 1; setp.lt.and.u32 p|q, $1, $2, r;"
               " .reg .b32 a, b; selp.b32 a, 1, 0, p; selp.b32 b, 2, 0, q; or.b32 $0, a, b; }",
               {32, 32, 32}, {0, 5, 4}),
      2u);
  EXPECT_EQ(evaluate("{ .reg .pred p, r; setp.eq.u32 r, 1, 1; setp.lt.xor.u32 p, $1, $2, !r;"
                     " selp.b32 $0, 1, 0, p; }",
                     {32, 32, 32}, {0, 3, 4}),
            1u);
  EXPECT_EQ(evaluate("{ .reg .pred p, q; setp.gt.f16x2 p|q, $1, $2; .reg .b32 a, b;"
                     " selp.b32 a, 1, 0, p; selp.b32 b, 2, 0, q; or.b32 $0, a, b; }",
                     {32, 32, 32}, {0, 0x3c000000, 0x00003c00}),
            2u);
  EXPECT_EQ(op("set.lt.u32.f32", f(1), f(2)), Minus1);
  EXPECT_EQ(op("set.gt.u32.f32", f(1), f(2)), 0u);
  EXPECT_EQ(op("set.lt.f32.s32", Minus1, 0), f(1));
  EXPECT_EQ(op3("slct.u32.s32", 5, 6, Minus1), 6u);
  EXPECT_EQ(op3("slct.f32.f32", f(5), f(6), f(0)), f(5));
  // Predicates as values.
  EXPECT_EQ(evaluate("{ .reg .pred p, q; setp.eq.u32 p, 1, 1; not.pred q, p; or.pred q, q, p;"
                     " xor.pred q, q, p; mov.pred p, q; selp.b32 $0, 1, 2, p; }",
                     {32}, {0}),
            2u);
}

TEST(Convert, Instructions) {
  auto Cvt = [](StringRef Modifiers, unsigned To, unsigned From, uint64_t V) {
    return evaluate(("cvt." + Modifiers + " $0, $1;").str(), {To, From}, {0, V});
  };
  EXPECT_EQ(Cvt("u32.u16", 32, 16, 0x1ffff), 0xffffu);
  EXPECT_EQ(Cvt("s32.s8", 32, 32, 0x80), 0xffffff80u);
  EXPECT_EQ(Cvt("s64.s32", 64, 32, Minus2), ~uint64_t(1));
  EXPECT_EQ(Cvt("u64.u32", 64, 32, Minus2), Minus2);
  EXPECT_EQ(Cvt("u8.u32", 32, 32, 0x1234), 0x34u);
  EXPECT_EQ(Cvt("sat.u8.s32", 32, 32, Minus1), 0u);
  EXPECT_EQ(Cvt("sat.s8.s32", 32, 32, 1000), 127u);
  EXPECT_EQ(Cvt("rn.f32.s32", 32, 32, Minus2), f(-2));
  EXPECT_EQ(Cvt("rn.f32.u32", 32, 32, 0xffffff7f), f(0xffffff00p0f));
  EXPECT_EQ(Cvt("rp.f32.u32", 32, 32, 0xffffff01), f(0x1p32f));
  EXPECT_EQ(Cvt("rz.f32.u64", 32, 64, ~uint64_t(0)), f(0xffffff00p32f));
  EXPECT_EQ(Cvt("rn.f64.u64", 64, 64, ~uint64_t(0)), d(0x1p64));
  EXPECT_EQ(Cvt("rz.f64.u64", 64, 64, ~uint64_t(0)), d(0xfffffffffffff800p0));
  EXPECT_EQ(Cvt("rn.f16.s32", 16, 32, 70000), 0x7c00u);
  EXPECT_EQ(Cvt("rni.s32.f32", 32, 32, f(2.5f)), 2u);
  EXPECT_EQ(Cvt("rzi.s32.f32", 32, 32, f(-2.9f)), Minus2);
  EXPECT_EQ(Cvt("rmi.s32.f32", 32, 32, f(-2.1f)), uint32_t(-3));
  EXPECT_EQ(Cvt("rpi.s32.f32", 32, 32, f(2.1f)), 3u);
  EXPECT_EQ(Cvt("rzi.s32.f32", 32, 32, f(1e20f)), Most);
  EXPECT_EQ(Cvt("rzi.u32.f32", 32, 32, f(-5)), 0u);
  EXPECT_EQ(Cvt("rzi.s32.f32", 32, 32, f(NAN)), 0u);
  EXPECT_EQ(Cvt("rzi.s64.f32", 64, 32, f(NAN)), uint64_t(1) << 63);
  EXPECT_EQ(Cvt("rzi.u64.f64", 64, 64, d(1e19)), 10000000000000000000u);
  EXPECT_EQ(Cvt("rzi.u8.f32", 32, 32, f(300)), 255u);
  EXPECT_EQ(Cvt("rni.f32.f32", 32, 32, f(3.5f)), f(4));
  EXPECT_EQ(Cvt("sat.f32.f32", 32, 32, f(3.5f)), f(1));
  EXPECT_EQ(Cvt("ftz.f32.f32", 32, 32, 5), 0u);
  EXPECT_EQ(Cvt("f64.f32", 64, 32, f(3.5f)), d(3.5));
  EXPECT_EQ(Cvt("rn.f32.f64", 32, 64, d(1 + 0x1p-24)), f(1));
  EXPECT_EQ(Cvt("rp.f32.f64", 32, 64, d(1 + 0x1p-24)), f(1) + 1);
  EXPECT_EQ(Cvt("f32.f16", 32, 16, 0x3c00), f(1));
  EXPECT_EQ(Cvt("rn.f16.f32", 16, 32, f(1)), 0x3c00u);
  EXPECT_EQ(Cvt("rz.f16.f32", 16, 32, f(1.9999f)), 0x3fffu);
  EXPECT_EQ(Cvt("rn.bf16.f32", 16, 32, 0x3f808000), 0x3f80u);
  EXPECT_EQ(Cvt("rn.relu.bf16.f32", 16, 32, f(-1)), 0u);
  EXPECT_EQ(Cvt("rna.tf32.f32", 32, 32, 0x3f801000), 0x3f802000u);
  EXPECT_EQ(Cvt("f32.bf16", 32, 16, 0x3f80), f(1));
  auto Pack = [](StringRef Modifiers, unsigned To, uint64_t A, uint64_t B) {
    return evaluate(("cvt." + Modifiers + " $0, $1, $2;").str(), {To, 32, 32}, {0, A, B});
  };
  EXPECT_EQ(Pack("rn.f16x2.f32", 32, f(1), f(2)), 0x3c004000u); // the first is the upper one
  EXPECT_EQ(Pack("rn.bf16x2.f32", 32, f(1), f(2)), 0x3f804000u);
  EXPECT_EQ(Pack("rn.relu.f16x2.f32", 32, f(-1), f(2)), 0x00004000u);
  EXPECT_EQ(Pack("rn.satfinite.e4m3x2.f32", 16, f(1), f(1e9f)), 0x387eu);
  EXPECT_EQ(Pack("rn.satfinite.e5m2x2.f32", 16, f(1), f(-2)), 0x3cc0u);
  EXPECT_EQ(Cvt("rn.f16x2.e4m3x2", 32, 16, 0x38b8), 0x3c00bc00u);
  EXPECT_EQ(Cvt("rn.satfinite.e4m3x2.f16x2", 16, 32, 0x3c00bc00), 0x38b8u);
  EXPECT_EQ(Cvt("rn.f16x2.e5m2x2", 32, 16, 0x3cbc), 0x3c00bc00u);
  EXPECT_EQ(op3("cvt.pack.sat.u8.s32.b32", 300, Minus1, 0x1234), 0x1234ff00u);
  EXPECT_EQ(op("cvt.pack.sat.s16.s32", 100000, Minus1), 0x7fffffffu);
  // What the ISA does not have.
  EXPECT_EQ(parseError("cvt.f32.s32 $0, $0;", {32}), "'cvt.f32.s32' is not emulated");
  EXPECT_EQ(parseError("cvt.s32.f32 $0, $0;", {32}), "'cvt.s32.f32' is not emulated");
  EXPECT_EQ(parseError("cvt.f16.f32 $0, $0;", {32}), "'cvt.f16.f32' is not emulated");
  EXPECT_EQ(parseError("cvt.rn.f64.tf32 $0, $0;", {64}), "'cvt.rn.f64.tf32' is not emulated");
  EXPECT_EQ(parseError("cvt.rn.f16x2.f32x2 $0, $0;", {64}), "'cvt.rn.f16x2.f32x2' is not emulated");
}

TEST(Move, PacksAndUnpacks) {
  EXPECT_EQ(evaluate("mov.b64 $0, {$1, $2};", {64, 32, 32}, {0, 1, 2}), 0x200000001u);
  EXPECT_EQ(evaluate("mov.b32 $0, {$1, $2};", {32, 16, 16}, {0, 0x11111, 2}), 0x21111u);
  EXPECT_EQ(evaluate("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, $1; mov.b32 $0, hi; }", {32, 64},
                     {0, uint64_t(9) << 32}),
            9u);
  EXPECT_EQ(evaluate("mov.b64 {_, $0}, $1;", {32, 64}, {0, uint64_t(9) << 32}), 9u);
  EXPECT_EQ(
      evaluate("{ .reg .b16 a, b, c, d; mov.b64 {a, b, c, d}, $1; mov.b64 $0, {d, c, b, a}; }",
               {64, 64}, {0, 0x1111222233334444}),
      0x4444333322221111u);
  EXPECT_EQ(evaluate("cvta.to.shared.u64 $0, $1;", {64, 64}, {0, 0x12345}), 0x12345u);
  EXPECT_EQ(evaluate("{ .reg .u64 t; cvta.to.shared.u64 t, $1; cvt.u32.u64 $0, t; }", {32, 64},
                     {0, 0x12345}),
            0x12345u);
}

} // namespace
