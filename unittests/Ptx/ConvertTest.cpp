//===- ConvertTest.cpp - Small floating-point formats -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Verify/Ptx/Convert.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace cuda_pipeline::emulator;

namespace {

const std::pair<Rounding, RoundingMode> Modes[] = {
    {Rounding::NearestEven, RoundingMode::NearestTiesToEven},
    {Rounding::NearestAway, RoundingMode::NearestTiesToAway},
    {Rounding::Zero, RoundingMode::TowardZero},
    {Rounding::Down, RoundingMode::TowardNegative},
    {Rounding::Up, RoundingMode::TowardPositive},
};

double viaAPFloat(const fltSemantics &S, unsigned Width, uint64_t Bits) {
  APFloat V(S, APInt(Width, Bits));
  bool Lost;
  V.convert(APFloat::IEEEdouble(), RoundingMode::NearestTiesToEven, &Lost);
  return V.convertToDouble();
}
uint64_t viaAPFloat(const fltSemantics &S, double Value, RoundingMode Mode) {
  APFloat V(Value);
  bool Lost;
  V.convert(S, Mode, &Lost);
  return V.bitcastToAPInt().getZExtValue();
}

// Every pattern, decoded; and the doubles around every number and every midpoint, encoded.
void checkFormat(const FloatFormat &Format, const fltSemantics &S, unsigned Width) {
  uint32_t Patterns = 1u << Width;
  for (uint32_t Bits = 0; Bits != Patterns; ++Bits) {
    double Mine = decode(Format, Bits), Theirs = viaAPFloat(S, Width, Bits);
    ASSERT_EQ(std::isnan(Mine), std::isnan(Theirs)) << Bits;
    if (std::isnan(Mine)) {
      ASSERT_EQ(encode(Format, Mine), Format.NaN);
      continue;
    }
    ASSERT_EQ(bitCast<uint64_t>(Mine), bitCast<uint64_t>(Theirs)) << Bits;
    double Next = decode(Format, Bits + 1 == Patterns ? Bits : Bits + 1);
    double Middle = std::isfinite(Mine) && std::isfinite(Next) ? (Mine + Next) / 2 : Mine * 1.001;
    for (double V : {Mine, std::nextafter(Mine, 1e300), std::nextafter(Mine, -1e300), Middle,
                     std::nextafter(Middle, 1e300), std::nextafter(Middle, -1e300)})
      for (auto [R, M] : Modes) {
        // e4m3 has no infinity, and APFloat has rules of its own beyond its range.
        if (!Format.Infinity && std::fabs(V) > 448)
          continue;
        ASSERT_EQ(encode(Format, V, R), viaAPFloat(S, V, M)) << V << " " << int(R);
      }
  }
}

TEST(Convert, Half) { checkFormat(Half, APFloat::IEEEhalf(), 16); }
TEST(Convert, BFloat16) { checkFormat(BFloat16, APFloat::BFloat(), 16); }
TEST(Convert, E5M2) { checkFormat(E5M2, APFloat::Float8E5M2(), 8); }
TEST(Convert, E4M3) { checkFormat(E4M3, APFloat::Float8E4M3FN(), 8); }
TEST(Convert, TF32) { checkFormat(TF32, APFloat::FloatTF32(), 19); }

TEST(Convert, FastDecoding) {
  for (uint32_t Bits = 0; Bits != 0x10000; ++Bits) {
    auto B = static_cast<uint16_t>(Bits);
    float H = halfToFloat(B), X = bfloat16ToFloat(B);
    double WantH = decode(Half, B), WantX = decode(BFloat16, B);
    ASSERT_TRUE(std::isnan(H) ? std::isnan(WantH)
                              : bitCast<uint64_t>(double(H)) == bitCast<uint64_t>(WantH))
        << Bits;
    ASSERT_TRUE(std::isnan(X) ? std::isnan(WantX)
                              : bitCast<uint64_t>(double(X)) == bitCast<uint64_t>(WantX))
        << Bits;
  }
}

TEST(Convert, Saturation) {
  EXPECT_EQ(encode(E4M3, 1e9, Rounding::NearestEven, true), 0x7eu);
  EXPECT_EQ(encode(E4M3, -HUGE_VAL, Rounding::NearestEven, true), 0xfeu);
  EXPECT_EQ(encode(E4M3, 1e9), 0x7fu); // without: NaN
  EXPECT_EQ(encode(E4M3, 464), 0x7eu); // halfway to what would be 480: to even
  EXPECT_EQ(encode(E5M2, 1e9), 0x7cu);
  EXPECT_EQ(encode(E5M2, 1e9, Rounding::NearestEven, true), 0x7bu);
  EXPECT_EQ(encode(Half, 65519), 0x7bffu);
  EXPECT_EQ(encode(Half, 65520), 0x7c00u);
  EXPECT_EQ(encode(Half, 65520, Rounding::NearestEven, true), 0x7bffu);
}

TEST(Convert, TF32InAFloat) {
  EXPECT_EQ(bitCast<uint32_t>(tf32(bitCast<float>(0x3f801000u))), 0x3f802000u); // a tie, away
  EXPECT_EQ(bitCast<uint32_t>(tf32(bitCast<float>(0xbf801000u))), 0xbf802000u);
  EXPECT_EQ(bitCast<uint32_t>(tf32(bitCast<float>(0x3f801000u), Rounding::NearestEven)),
            0x3f800000u);
  EXPECT_EQ(bitCast<uint32_t>(tf32(bitCast<float>(0x3f800fffu))), 0x3f800000u);
  EXPECT_EQ(bitCast<uint32_t>(tf32(bitCast<float>(0x7f7fffffu))), 0x7f800000u);
  EXPECT_EQ(bitCast<uint32_t>(tf32(bitCast<float>(0xffc12345u))), 0x7fffffffu);
  EXPECT_EQ(bitCast<uint32_t>(truncateToTF32(bitCast<float>(0x3f801fffu))), 0x3f800000u);
}

// Rounded twice by way of an odd double is rounded once.
TEST(Convert, OddRounding) {
  std::mt19937_64 Random(1);
  auto Number = [&] {
    uint32_t Bits = static_cast<uint32_t>(Random());
    // Exponents near each other, so that sums are interesting.
    return bitCast<float>((Bits & 0x807fffff) | static_cast<uint32_t>(100 + Random() % 56) << 23);
  };
  for (int I = 0; I != 200000; ++I) {
    float A = Number(), B = Number(), C = Number();
    for (auto [R, M] : Modes) {
      if (R == Rounding::NearestAway)
        continue;
      APFloat Fma(A);
      Fma.fusedMultiplyAdd(APFloat(B), APFloat(C), M);
      ASSERT_EQ(bitCast<uint32_t>(toFloat(oddFma(A, B, C), R)),
                bitCast<uint32_t>(Fma.convertToFloat()))
          << A << " " << B << " " << C << " " << int(R);
      APFloat Sum(A);
      Sum.add(APFloat(B), M);
      if (Sum.isZero())
        continue; // its sign is the instruction's affair
      ASSERT_EQ(bitCast<uint32_t>(toFloat(oddSum(A, B), R)),
                bitCast<uint32_t>(Sum.convertToFloat()));
    }
    // Half: all exponents.
    auto X = static_cast<uint16_t>(Random()), Y = static_cast<uint16_t>(Random()),
         Z = static_cast<uint16_t>(Random());
    APFloat Want(APFloat::IEEEhalf(), APInt(16, X));
    Want.fusedMultiplyAdd(APFloat(APFloat::IEEEhalf(), APInt(16, Y)),
                          APFloat(APFloat::IEEEhalf(), APInt(16, Z)),
                          RoundingMode::NearestTiesToEven);
    if (Want.isNaN())
      continue;
    ASSERT_EQ(encode(Half, oddFma(halfToFloat(X), halfToFloat(Y), halfToFloat(Z))),
              Want.bitcastToAPInt().getZExtValue())
        << X << " " << Y << " " << Z;
  }
}

} // namespace
