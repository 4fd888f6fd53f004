//===- CompareTest.cpp - What counts as a difference
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Verify/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace cuda_pipeline;
using namespace llvm;

namespace {

using Kind = ElementType::Kind;

template <class T> std::vector<uint8_t> bytes(std::initializer_list<T> Values) {
  std::vector<uint8_t> Result(Values.size() * sizeof(T));
  size_t At = 0;
  for (T V : Values) {
    std::memcpy(&Result[At], &V, sizeof(T));
    At += sizeof(T);
  }
  return Result;
}

constexpr ElementType Float = {Kind::Float, 4, 1};

TEST(Compare, EqualBytesAreEqual) {
  auto A = bytes<float>({1, 2}), Before = bytes<float>({7, 7});
  EXPECT_FALSE(compare("a", Float, {Before, A}, {Before, A}));
}

TEST(Compare, NamesTheFirstDifferenceAndCountsAll) {
  auto A = bytes<float>({1, 2, 3, 4}), B = bytes<float>({1, 2.5f, 3, -4}),
       Before = bytes<float>({7, 7, 7, 7});
  auto D = compare("a", Float, {Before, A}, {Before, B});
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Buffer, "a");
  EXPECT_EQ(D->Index, 1u);
  EXPECT_EQ(D->Count, 2u);
  EXPECT_EQ(D->OldBits, "0x40000000");
  EXPECT_EQ(D->NewBits, "0x40200000");
  EXPECT_EQ(D->OldValue, "2");
  EXPECT_EQ(D->NewValue, "2.5");
}

TEST(Compare, SignOfZeroIsADifference) {
  auto A = bytes<float>({0.0f}), B = bytes<float>({-0.0f}), Before = bytes<float>({7});
  EXPECT_TRUE(compare("a", Float, {Before, A}, {Before, B}));
}

TEST(Compare, NaNsAreAlikeAndDifferFromNumbers) {
  auto A = bytes<uint32_t>({0x7fc00001}), B = bytes<uint32_t>({0xffc12345}), C = bytes<float>({1});
  auto Before = bytes<float>({7});
  EXPECT_FALSE(compare("a", Float, {Before, A}, {Before, B}));
  EXPECT_TRUE(compare("a", Float, {Before, A}, {Before, C}));
  // The same bits as integers are different numbers.
  EXPECT_TRUE(compare("a", {Kind::UnsignedInt, 4, 1}, {Before, A}, {Before, B}));
}

TEST(Compare, EveryLaneCounts) {
  ElementType Float2 = {Kind::Float, 4, 2};
  auto A = bytes<float>({1, NAN}), B = bytes<float>({1, -NAN}), C = bytes<float>({2, NAN});
  auto Before = bytes<float>({7, 7});
  EXPECT_FALSE(compare("a", Float2, {Before, A}, {Before, B}));
  auto D = compare("a", Float2, {Before, A}, {Before, C});
  ASSERT_TRUE(D);
  EXPECT_EQ(D->OldValue, "1, NaN");
  EXPECT_EQ(D->OldBits, "0x3f800000 0x7fc00000");
}

// An element that both leave alone holds other poison in each run; one that a single version leaves
// alone is a difference.
TEST(Compare, LeavingAlone) {
  auto P = bytes<uint32_t>({0x11111111, 0x22222222}), Q = bytes<uint32_t>({0x33333333, 0x44444444});
  ElementType Int = {Kind::UnsignedInt, 4, 1};
  EXPECT_FALSE(compare("a", Int, {P, P}, {Q, Q}));
  auto Written = bytes<uint32_t>({5, 0x44444444});
  auto D = compare("a", Int, {P, P}, {Q, Written});
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Index, 0u);
  EXPECT_EQ(D->Count, 1u);
}

TEST(Compare, BytesOfStructsHaveNoValue) {
  auto A = bytes<uint32_t>({1, 2, 3}), B = bytes<uint32_t>({1, 2, 4}),
       Before = bytes<uint32_t>({9, 9, 9});
  auto D = compare("a", {Kind::Bytes, 1, 12}, {Before, A}, {Before, B});
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Index, 0u);
  EXPECT_EQ(D->OldValue, "");
}

} // namespace
