//===- FillTest.cpp - What buffers contain -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/Launch/Fill.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <random>
#include <set>

using namespace cuda_pipeline::fill;
using namespace llvm;

namespace {

template <class T>
std::vector<T> data(Base B, Kind K, double Low = 0, double High = 0, uint64_t Count = 4096,
                    uint64_t Seed = 1, unsigned Lanes = 1) {
  std::vector<T> V(Count * Lanes);
  fill(V.data(), Count, {B, sizeof(T), Lanes, K, Low, High}, Seed, stream("N=1", "A"));
  return V;
}

// Golden values: harnesses are built on other machines, and a result must mean the same there.
TEST(Fill, Golden) {
  EXPECT_EQ(stream("N=1", "A"), 0xe46edc5970f533f4u);
  auto U = data<uint64_t>(Base::UnsignedInt, Kind::Random, 0, 0, 2);
  EXPECT_EQ(U[0], 0xf34e07fda028ecb0u);
  EXPECT_EQ(U[1], 0x3b60a6b4a0ca2a7cu);
  auto F = data<uint32_t>(Base::Float, Kind::Random, 0, 0, 2);
  EXPECT_EQ(F[0], 0x3f669c10u);
  EXPECT_EQ(F[1], 0xbf093eb3u);
}

TEST(Fill, RandomFloats) {
  auto F = data<float>(Base::Float, Kind::Random);
  double Sum = 0;
  uint32_t Ones = 0, Zeros = 0;
  for (float X : F) {
    EXPECT_GE(X, -1.0f);
    EXPECT_LT(X, 1.0f);
    Sum += X;
    uint32_t Bits;
    std::memcpy(&Bits, &X, 4);
    Ones |= Bits;
    Zeros |= ~Bits;
  }
  EXPECT_LT(std::abs(Sum / F.size()), 0.05);
  EXPECT_EQ(Ones & 0x807fffffu, 0x807fffffu) << "every mantissa bit is used";
  EXPECT_EQ(Zeros & 0x807fffffu, 0x807fffffu);
  EXPECT_GT(std::set<float>(F.begin(), F.end()).size(), 4090u);
}

TEST(Fill, UpperBoundIsExcluded) {
  // Rounding to 16 bits would reach the bound in one of about 4,000 cases.
  for (uint16_t H : data<uint16_t>(Base::Half, Kind::Random, 0, 0, 100000))
    ASSERT_LT(halfValue(H), 1);
  for (uint16_t H : data<uint16_t>(Base::BFloat16, Kind::Uniform, -1, 0, 100000))
    ASSERT_LT(bfloat16Value(H), 0);
  for (float F : data<float>(Base::Float, Kind::Uniform, 1, 1.0000001, 1000))
    ASSERT_EQ(F, 1.0f);
}

TEST(Fill, Integers) {
  std::set<int> Seen;
  for (int8_t X : data<int8_t>(Base::SignedInt, Kind::Random))
    Seen.insert(X);
  EXPECT_EQ(Seen.size(), 256u);
  Seen.clear();
  for (int32_t X : data<int32_t>(Base::SignedInt, Kind::Uniform, -2, 3))
    Seen.insert(X);
  EXPECT_EQ(Seen, (std::set<int>{-2, -1, 0, 1, 2})) << "the upper bound is not a value";
  Seen.clear();
  for (uint8_t X : data<uint8_t>(Base::Bool, Kind::Random))
    Seen.insert(X);
  EXPECT_EQ(Seen, (std::set<int>{0, 1}));
}

TEST(Fill, ValueAndIndex) {
  EXPECT_TRUE(
      all_of(data<int16_t>(Base::SignedInt, Kind::Value, -3), [](int X) { return X == -3; }));
  EXPECT_TRUE(
      all_of(data<double>(Base::Double, Kind::Value, 0.1), [](double X) { return X == 0.1; }));
  EXPECT_EQ(data<uint16_t>(Base::Half, Kind::Value, 0.1)[5], 0x2e66);
  auto I = data<uint8_t>(Base::UnsignedInt, Kind::Index, 250, 0, 10);
  EXPECT_EQ(I[0], 250);
  EXPECT_EQ(I[9], 3) << "modulo the type";
  auto F = data<float>(Base::Float, Kind::Index, -1, 0, 4, 1, 2);
  EXPECT_EQ(F, (std::vector<float>{-1, -1, 0, 0, 1, 1, 2, 2})) << "lanes are alike";
}

TEST(Fill, DependsOnSeedStreamAndPlaceOnly) {
  auto Short = data<uint32_t>(Base::UnsignedInt, Kind::Random, 0, 0, 10);
  auto Long = data<uint32_t>(Base::UnsignedInt, Kind::Random, 0, 0, 100);
  EXPECT_TRUE(std::equal(Short.begin(), Short.end(), Long.begin()));
  EXPECT_NE(Short, (data<uint32_t>(Base::UnsignedInt, Kind::Random, 0, 0, 10, 2)));
  EXPECT_NE(Short, (data<uint32_t>(Base::UnsignedInt, Kind::Poison, 0, 0, 10)));
  EXPECT_NE(stream("N=1", "A"), stream("N=1", "B"));
  EXPECT_NE(stream("N=1", "A"), stream("N=2", "A"));
  EXPECT_NE(stream("N=1A", ""), stream("N=1", "A"));
  // Four floats and a float4 are the same data.
  EXPECT_EQ((data<float>(Base::Float, Kind::Random, 0, 0, 40)),
            (data<float>(Base::Float, Kind::Random, 0, 0, 10, 1, 4)));
}

TEST(Fill, PoisonDiffersFromRunToRun) {
  auto A = data<uint8_t>(Base::Float, Kind::Poison, 0, 0, 1000, 1);
  auto B = data<uint8_t>(Base::Float, Kind::Poison, 0, 0, 1000, 2);
  EXPECT_NE(A, B);
}

// Every 16-bit pattern there and back, against APFloat.
template <class Narrow, class Widen>
void exhaustive(const fltSemantics &Semantics, Narrow ToBits, Widen ToValue) {
  for (unsigned Bits = 0; Bits <= 0xffff; ++Bits) {
    APFloat Exact(Semantics, APInt(16, Bits));
    double Value = ToValue(Bits);
    if (Exact.isNaN()) {
      EXPECT_TRUE(std::isnan(Value)) << Bits;
      continue;
    }
    bool Lossy;
    APFloat Wide = Exact;
    Wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lossy);
    ASSERT_EQ(Value, Wide.convertToDouble()) << Bits;
    ASSERT_EQ(ToBits(Value), Bits);
  }
  auto check = [&](double Value) {
    APFloat Rounded(Value);
    bool Lossy;
    Rounded.convert(Semantics, APFloat::rmNearestTiesToEven, &Lossy);
    ASSERT_EQ(ToBits(Value), Rounded.bitcastToAPInt().getZExtValue()) << Value;
  };
  // Halfway between two neighbours, and one double to either side of it.
  for (unsigned Bits = 0; Bits < 0x7fff; ++Bits) {
    const double Low = ToValue(Bits), High = ToValue(Bits + 1);
    if (!std::isfinite(Low) || !std::isfinite(High))
      continue;
    const double Middle = Low + (High - Low) / 2;
    for (double V : {Middle, std::nextafter(Middle, 0), std::nextafter(Middle, HUGE_VAL), -Middle})
      check(V);
  }
  std::mt19937_64 Random(7);
  for (unsigned I = 0; I < 200000; ++I) {
    uint64_t Bits = Random();
    double Value;
    std::memcpy(&Value, &Bits, 8);
    if (!std::isnan(Value))
      check(Value);
  }
  EXPECT_EQ(ToBits(std::nan("")), 0x7fff);
}

TEST(Fill, Half) { exhaustive(APFloat::IEEEhalf(), halfBits, halfValue); }
TEST(Fill, BFloat16) { exhaustive(APFloat::BFloat(), bfloat16Bits, bfloat16Value); }

} // namespace
