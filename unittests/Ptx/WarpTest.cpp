//===- WarpTest.cpp - Instructions of a whole warp ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MockWarp.h"
#include "Verify/Ptx/Convert.h"
#include "Verify/Ptx/Mma.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

using namespace llvm;
using namespace cuda_pipeline::emulator;

namespace {

using Operands = std::vector<std::vector<uint64_t>>;

/// The same operands in every lane, but for operand 1, which is \p Of(lane); operand 0 afterwards.
std::vector<uint32_t> warp(StringRef Text, std::function<uint64_t(unsigned)> Of,
                           unsigned Lanes = 32, std::vector<uint64_t> More = {}) {
  MockWarp W(Lanes);
  Operands O(Lanes);
  std::vector<unsigned> Bits(2 + More.size(), 32);
  for (unsigned L = 0; L != Lanes; ++L) {
    O[L] = {0, Of(L)};
    O[L].insert(O[L].end(), More.begin(), More.end());
  }
  EXPECT_TRUE(W.run(*parsed(Text, Bits), O)) << W.Failure << "\n in " << Text.str();
  std::vector<uint32_t> R;
  for (auto &X : O)
    R.push_back(static_cast<uint32_t>(X[0]));
  return R;
}

TEST(Warp, Shuffles) {
  auto Squares = [](unsigned L) { return L * L; };
  auto R = warp("shfl.sync.bfly.b32 $0, $1, 1, 0x1f, -1;", Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], (L ^ 1) * (L ^ 1));
  R = warp("shfl.sync.down.b32 $0, $1, 4, 0x1f, 0xffffffff;", Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L + 4 < 32 ? (L + 4) * (L + 4) : L * L);
  R = warp("shfl.sync.up.b32 $0, $1, 4, 0, 0xffffffff;", Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L >= 4 ? (L - 4) * (L - 4) : L * L);
  // Segments of 8 lanes: the mask is (32 - 8) << 8.
  R = warp("shfl.sync.idx.b32 $0, $1, 9, 0x181f, 0xffffffff;", Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], (L / 8 * 8 + 1) * (L / 8 * 8 + 1));
  R = warp("shfl.sync.up.b32 $0, $1, 1, 0x1800, 0xffffffff;", Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L % 8 ? (L - 1) * (L - 1) : L * L);
  // Upwards, but not from below lane 2.
  R = warp("shfl.sync.up.b32 $0, $1, 1, 2, -1;", Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L >= 3 ? (L - 1) * (L - 1) : L * L);
  // The predicate says whether the source was in range.
  R = warp("{ .reg .pred p; .reg .b32 t; shfl.sync.down.b32 t|p, $1, 16, 0x1f, -1;"
           " selp.b32 $0, 1, 0, p; }",
           Squares);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 16);
  // From a lane that does not take part: no number in particular, and not a zero.
  R = warp("shfl.sync.idx.b32 $0, $1, 20, 0x1f, 0xffff;", [](unsigned) { return 5; }, 16);
  EXPECT_EQ(R[3], 0xfff7fdfdu);
}

TEST(Warp, VotesAndReductions) {
  auto Vote = [](StringRef Mode, unsigned From) {
    return warp(("{ .reg .pred p, q; setp.ge.u32 q, $1, " + Twine(From) + "; vote.sync." + Mode +
                 ".pred p, q, -1; selp.b32 $0, 1, 0, p; }")
                    .str(),
                [](unsigned L) { return L; })[7];
  };
  EXPECT_EQ(Vote("all", 0), 1u);
  EXPECT_EQ(Vote("all", 1), 0u);
  EXPECT_EQ(Vote("any", 31), 1u);
  EXPECT_EQ(Vote("any", 32), 0u);
  EXPECT_EQ(Vote("uni", 32), 1u);
  EXPECT_EQ(Vote("uni", 0), 1u);
  EXPECT_EQ(Vote("uni", 1), 0u);
  const char *Ballot = "{ .reg .pred q; setp.ge.u32 q, $1, 28; vote.sync.ballot.b32 $0, !q, -1; }";
  EXPECT_EQ(warp(Ballot, [](unsigned L) { return L; })[0], 0x0fffffffu);
  auto Lane = [](unsigned L) { return L; };
  EXPECT_EQ(warp("redux.sync.add.s32 $0, $1, -1;", Lane)[9], 496u);
  EXPECT_EQ(warp("redux.sync.min.s32 $0, $1, -1;", [](unsigned L) { return 5 - uint64_t(L); })[9],
            uint32_t(-26));
  EXPECT_EQ(warp("redux.sync.max.u32 $0, $1, -1;", Lane)[9], 31u);
  EXPECT_EQ(
      warp("redux.sync.and.b32 $0, $1, 0xff;", [](unsigned L) { return 0xf0 | L; }, 8)[2], 0xf0u);
  EXPECT_EQ(warp("redux.sync.xor.b32 $0, $1, -1;", [](unsigned L) { return uint64_t(1) << L; })[2],
            0xffffffffu);
  EXPECT_EQ(warp("match.any.sync.b32 $0, $1, -1;", [](unsigned L) { return L % 4; })[5],
            0x22222222u);
  EXPECT_EQ(warp("match.all.sync.b32 $0|_, $1, -1;", [](unsigned) { return 4; })[5], 0xffffffffu);
  EXPECT_EQ(warp("match.all.sync.b32 $0, $1, -1;", Lane)[5], 0u);
  EXPECT_EQ(warp("activemask.b32 $0;", Lane, 8)[0], 0xffu);
  EXPECT_EQ(warp("activemask.b32 $0;", Lane, 8)[2], 0xfcu); // two have returned
  const char *Elect = "{ .reg .pred p; .reg .b32 t; elect.sync t|p, 0xfffffff0;"
                      " selp.b32 $0, 1, t, p; }";
  MockWarp Elected(32);
  Operands O(32, {0});
  auto Block = parsed((Twine("{ .reg .pred q; .reg .b32 l; mov.u32 l, %laneid; setp.ge.u32 q, l, 4;"
                             " @!q bra E; ") +
                       Elect + " E: }")
                          .str(),
                      {32});
  ASSERT_TRUE(Elected.run(*Block, O)) << Elected.Failure;
  EXPECT_EQ(O[3][0], 0u);
  EXPECT_EQ(O[4][0], 1u); // the lowest lane of the mask
  EXPECT_EQ(O[9][0], 4u);
}

TEST(Warp, DifferentInstructionsDoNotMeet) {
  MockWarp W(32);
  Operands O(32, {0});
  auto Block = parsed("{ .reg .pred p; .reg .b32 l; mov.u32 l, %laneid; setp.lt.u32 p, l, 5; @p "
                      "redux.sync.add.u32 $0, 1, -1;"
                      " @!p redux.sync.max.u32 $0, 1, -1; }",
                      {32});
  EXPECT_FALSE(W.run(*Block, O));
  EXPECT_EQ(W.Failure, "fault: lanes of a warp meet in different instructions");
  // The whole warp means the whole warp.
  MockWarp Half(16);
  Operands P(16, {0, 0});
  EXPECT_FALSE(Half.run(*parsed("movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", {32, 32}), P));
  EXPECT_EQ(Half.Failure,
            "fault: an instruction of the whole warp (.aligned) that not all lanes execute");
}

//===----------------------------------------------------------------------===//
// Matrices of 8 x 8
//===----------------------------------------------------------------------===//

struct MatrixTest : testing::Test {
  static constexpr unsigned Pitch = 48; // bytes from row to row
  MockWarp Warp{32};

  /// Element (Row, Column) of matrix M.
  static uint16_t value(unsigned M, unsigned Row, unsigned Column) {
    return static_cast<uint16_t>(M << 8 | Row << 4 | Column);
  }
  uint32_t rowAddress(unsigned M, unsigned Row) {
    return Warp.sharedAddress((M * 8 + Row) * Pitch);
  }
  void fill() {
    for (unsigned M = 0; M != 4; ++M)
      for (unsigned R = 0; R != 8; ++R)
        for (unsigned C = 0; C != 8; ++C) {
          uint16_t V = value(M, R, C);
          std::memcpy(Warp.Shared + (M * 8 + R) * Pitch + C * 2, &V, 2);
        }
  }
};

TEST_F(MatrixTest, Load) {
  fill();
  for (bool Transposed : {false, true})
    for (unsigned N : {1u, 2u, 4u}) {
      Operands O(32);
      for (unsigned L = 0; L != 32; ++L)
        // Lanes whose address is not used have a bad one.
        O[L] = {0, 0, 0, 0, L < 8 * N ? rowAddress(L / 8, L % 8) : 3u};
      Warp.Events.clear();
      const char *Vector = N == 1 ? "{$0}" : N == 2 ? "{$0, $1}" : "{$0, $1, $2, $3}";
      std::string Text = formatv("ldmatrix.sync.aligned.m8n8.x{0}{1}.shared.b16 {2}, [$4];", N,
                                 Transposed ? ".trans" : "", Vector);
      ASSERT_TRUE(Warp.run(*parsed(Text, {32, 32, 32, 32, 32}), O)) << Warp.Failure;
      for (unsigned L = 0; L != 32; ++L)
        for (unsigned M = 0; M != N; ++M)
          for (unsigned E = 0; E != 2; ++E) {
            unsigned Row = L / 4, Column = L % 4 * 2 + E;
            uint16_t Want = Transposed ? value(M, Column, Row) : value(M, Row, Column);
            ASSERT_EQ(uint16_t(O[L][M] >> (16 * E)), Want) << Text << L;
          }
      // Every row is read once, by the lane that names it.
      ASSERT_EQ(Warp.Events.size(), 8 * N);
      for (const Event &E : Warp.Events)
        EXPECT_EQ(E, (Event{Event::Read, E.Lane, rowAddress(E.Lane / 8, E.Lane % 8), 16, 16}));
    }
}

TEST_F(MatrixTest, PartOfAWarp) {
  MockWarp Half(16);
  for (const char *Text :
       {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$1], {$0};",
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$0, $0}, {$0, $0}, {$0}, "
        "{$0, $0};"}) {
    Operands O(16, {0, Half.sharedAddress()});
    EXPECT_FALSE(Half.run(*parsed(Text, {32, 32}), O)) << Text;
    EXPECT_EQ(Half.Failure,
              "fault: an instruction of the whole warp (.aligned) that not all lanes execute");
  }
}

TEST_F(MatrixTest, StoreIsTheInverse) {
  for (bool Transposed : {false, true}) {
    std::memset(Warp.Shared, 0, MockWarp::SharedBytes);
    Operands O(32);
    for (unsigned L = 0; L != 32; ++L) {
      for (unsigned M = 0; M != 4; ++M) {
        unsigned Row = L / 4, Column = L % 4 * 2;
        O[L].push_back(uint64_t(value(M, Row, Column + 1)) << 16 | value(M, Row, Column));
      }
      O[L].push_back(rowAddress(L / 8, L % 8));
    }
    Warp.Events.clear();
    std::string Text =
        formatv("stmatrix.sync.aligned.m8n8.x4{0}.shared.b16 [$4], {{$0, $1, $2, $3};",
                Transposed ? ".trans" : "");
    ASSERT_TRUE(Warp.run(*parsed(Text, {32, 32, 32, 32, 32}), O)) << Warp.Failure;
    ASSERT_EQ(Warp.Events.size(), 32u);
    EXPECT_EQ(Warp.Events[9].K, Event::Write);
    for (unsigned M = 0; M != 4; ++M)
      for (unsigned R = 0; R != 8; ++R)
        for (unsigned C = 0; C != 8; ++C) {
          uint16_t V;
          std::memcpy(&V, Warp.Shared + (M * 8 + R) * Pitch + C * 2, 2);
          ASSERT_EQ(V, Transposed ? value(M, C, R) : value(M, R, C));
        }
  }
}

TEST_F(MatrixTest, Transpose) {
  auto R = warp("movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", [](unsigned L) {
    return uint64_t(value(0, L / 4, L % 4 * 2 + 1)) << 16 | value(0, L / 4, L % 4 * 2);
  });
  for (unsigned L = 0; L != 32; ++L) {
    EXPECT_EQ(R[L] & 0xffff, value(0, L % 4 * 2, L / 4));
    EXPECT_EQ(R[L] >> 16, value(0, L % 4 * 2 + 1, L / 4));
  }
}

//===----------------------------------------------------------------------===//
// mma: the layouts are those of the ISA, written down per shape as it does
//===----------------------------------------------------------------------===//

using Layout = std::function<Place(unsigned Lane, unsigned I)>;

struct MmaCase {
  std::string Modifiers; ///< behind .m16n8k16, with the layouts
  unsigned M, K;
  std::string TypeA, TypeB, TypeC;
  unsigned BitsA; ///< of an element
  Layout A, B;
};

unsigned group(unsigned L) { return L >> 2; }
unsigned in(unsigned L) { return L % 4; }

double decodeElement(StringRef Type, uint32_t Bits) {
  if (Type == "f16")
    return halfToFloat(static_cast<uint16_t>(Bits));
  if (Type == "bf16")
    return bfloat16ToFloat(static_cast<uint16_t>(Bits));
  if (Type == "tf32")
    return bitCast<float>(Bits & 0xffffe000);
  if (Type == "e4m3")
    return decode(E4M3, Bits);
  if (Type == "e5m2")
    return decode(E5M2, Bits);
  if (Type == "s8")
    return static_cast<int8_t>(Bits);
  if (Type == "s4")
    return static_cast<int8_t>(Bits << 4) >> 4;
  return Bits;
}

/// Bits of an element: any for integers, moderate numbers for floating point, so that sums are
/// exact in the reference, which is in double.
uint32_t randomElement(StringRef Type, std::mt19937 &Random) {
  int Small = int(Random() % 17) - 8;
  if (Type == "f16")
    return floatToHalf(Small * 0.5f);
  if (Type == "bf16")
    return floatToBFloat16(Small * 0.5f);
  if (Type == "tf32")
    return bitCast<uint32_t>(Small * 0.5f) | (Random() & 0x1fff); // bits that are ignored
  if (Type == "e4m3")
    return encode(E4M3, Small);
  if (Type == "e5m2")
    return encode(E5M2, Small / 2);
  return Random() & (Type.ends_with("4") ? 15 : 255);
}

void checkMma(const MmaCase &T, bool Saturate = false) {
  std::mt19937 Random(11);
  const unsigned N = 8, Rows = T.M, RegistersA = Rows * T.K * T.BitsA / 32 / 32,
                 RegistersB = T.K * N * T.BitsA / 32 / 32, Per = 32 / T.BitsA;
  bool HalfC = T.TypeC == "f16", Integer = T.TypeC == "s32";
  const unsigned ElementsC = Rows * N / 32, RegistersC = HalfC ? ElementsC / 2 : ElementsC;
  // Matrices, in the order in which the fragments are filled.
  std::vector<double> A(Rows * T.K, NAN), B(T.K * N, NAN), C(Rows * N, NAN);
  Operands O(32, std::vector<uint64_t>(2 * RegistersC + RegistersA + RegistersB, 0));
  auto CPlace = [&](unsigned L, unsigned I) {
    return Place{group(L) + (I >= 2 ? 8 : 0), in(L) * 2 + (I & 1)};
  };
  for (unsigned L = 0; L != 32; ++L) {
    uint64_t *RA = &O[L][RegistersC], *RB = RA + RegistersA, *RC = RB + RegistersB;
    for (unsigned I = 0; I != RegistersA * Per; ++I) {
      uint32_t Bits = randomElement(T.TypeA, Random);
      Place P = T.A(L, I);
      A[P.Row * T.K + P.Column] = decodeElement(T.TypeA, Bits);
      RA[I / Per] |= uint64_t(Bits) << (T.BitsA * (I % Per));
    }
    for (unsigned I = 0; I != RegistersB * Per; ++I) {
      uint32_t Bits = randomElement(T.TypeB, Random);
      Place P = T.B(L, I);
      B[P.Row * N + P.Column] = decodeElement(T.TypeB, Bits);
      RB[I / Per] |= uint64_t(Bits) << (T.BitsA * (I % Per));
    }
    for (unsigned I = 0; I != ElementsC; ++I) {
      Place P = CPlace(L, I);
      int64_t V =
          Saturate ? int64_t(Random() % 2 ? 0x7fffff00 : -0x7fffff00) : int(Random() % 33) - 16;
      C[P.Row * N + P.Column] = double(V);
      if (HalfC)
        RC[I / 2] |= uint64_t(floatToHalf(float(V))) << (16 * (I % 2));
      else
        RC[I] = Integer ? uint32_t(V) : bitCast<uint32_t>(float(V));
    }
  }
  std::string Text = formatv("mma.sync.aligned.m{0}n8k{1}.{2} ", Rows, T.K, T.Modifiers);
  unsigned Next = 0;
  auto Vector = [&](unsigned Count) {
    std::string V = "{";
    for (unsigned I = 0; I != Count; ++I)
      V += (I ? ", $" : "$") + std::to_string(Next++);
    return V + "}";
  };
  Text += Vector(RegistersC) + ", ";
  Text += Vector(RegistersA) + ", ";
  Text += Vector(RegistersB) + ", ";
  Text += Vector(RegistersC) + ";";
  MockWarp Warp;
  std::vector<unsigned> Bits(Next, 32);
  ASSERT_TRUE(Warp.run(*parsed(Text, Bits), O)) << Warp.Failure << Text;
  for (unsigned L = 0; L != 32; ++L)
    for (unsigned I = 0; I != ElementsC; ++I) {
      Place P = CPlace(L, I);
      double Want = C[P.Row * N + P.Column];
      for (unsigned K = 0; K != T.K; ++K)
        Want += A[P.Row * T.K + K] * B[K * N + P.Column];
      ASSERT_FALSE(std::isnan(Want)) << "the layouts do not cover the matrix " << Text;
      if (Saturate)
        Want = std::min(std::max(Want, -2147483648.0), 2147483647.0);
      double Got = HalfC     ? halfToFloat(static_cast<uint16_t>(O[L][I / 2] >> (16 * (I % 2))))
                   : Integer ? double(int32_t(O[L][I]))
                             : double(bitCast<float>(uint32_t(O[L][I])));
      ASSERT_EQ(Got, Want) << Text << " lane " << L << " element " << I;
    }
}

TEST(Mma, SixteenBits) {
  Layout A8 = [](unsigned L, unsigned I) {
    return Place{group(L) + (I >= 2 ? 8 : 0), in(L) * 2 + (I & 1)};
  };
  Layout B8 = [](unsigned L, unsigned I) { return Place{in(L) * 2 + I, group(L)}; };
  Layout A16 = [](unsigned L, unsigned I) {
    bool Top = I < 2 || (I >= 4 && I < 6);
    return Place{Top ? group(L) : group(L) + 8, in(L) * 2 + (I & 1) + (I >= 4 ? 8 : 0)};
  };
  Layout B16 = [](unsigned L, unsigned I) {
    return Place{in(L) * 2 + (I & 1) + (I >= 2 ? 8 : 0), group(L)};
  };
  checkMma({"row.col.f32.f16.f16.f32", 16, 8, "f16", "f16", "f32", 16, A8, B8});
  checkMma({"row.col.f16.f16.f16.f16", 16, 8, "f16", "f16", "f16", 16, A8, B8});
  checkMma({"row.col.f32.bf16.bf16.f32", 16, 8, "bf16", "bf16", "f32", 16, A8, B8});
  checkMma({"row.col.f32.f16.f16.f32", 16, 16, "f16", "f16", "f32", 16, A16, B16});
  checkMma({"row.col.f16.f16.f16.f16", 16, 16, "f16", "f16", "f16", 16, A16, B16});
  checkMma({"row.col.f32.bf16.bf16.f32", 16, 16, "bf16", "bf16", "f32", 16, A16, B16});
}

TEST(Mma, TF32) {
  Layout A4 = [](unsigned L, unsigned I) { return Place{group(L) + (I ? 8 : 0), in(L)}; };
  Layout B4 = [](unsigned L, unsigned) { return Place{in(L), group(L)}; };
  Layout A8 = [](unsigned L, unsigned I) {
    return Place{group(L) + (I % 2 ? 8 : 0), in(L) + (I >= 2 ? 4 : 0)};
  };
  Layout B8 = [](unsigned L, unsigned I) { return Place{in(L) + (I ? 4 : 0), group(L)}; };
  checkMma({"row.col.f32.tf32.tf32.f32", 16, 4, "tf32", "tf32", "f32", 32, A4, B4});
  checkMma({"row.col.f32.tf32.tf32.f32", 16, 8, "tf32", "tf32", "f32", 32, A8, B8});
}

TEST(Mma, EightBits) {
  Layout A8x16 = [](unsigned L, unsigned I) { return Place{group(L), in(L) * 4 + I}; };
  Layout B16 = [](unsigned L, unsigned I) { return Place{in(L) * 4 + I, group(L)}; };
  Layout A16 = [](unsigned L, unsigned I) {
    return Place{group(L) + (I >= 4 ? 8 : 0), in(L) * 4 + (I & 3)};
  };
  Layout A32 = [](unsigned L, unsigned I) {
    bool Top = I < 4 || (I >= 8 && I < 12);
    return Place{Top ? group(L) : group(L) + 8, in(L) * 4 + (I & 3) + (I >= 8 ? 16 : 0)};
  };
  Layout B32 = [](unsigned L, unsigned I) {
    return Place{in(L) * 4 + (I & 3) + (I >= 4 ? 16 : 0), group(L)};
  };
  checkMma({"row.col.s32.s8.s8.s32", 8, 16, "s8", "s8", "s32", 8, A8x16, B16});
  checkMma({"row.col.satfinite.s32.u8.s8.s32", 8, 16, "u8", "s8", "s32", 8, A8x16, B16}, true);
  checkMma({"row.col.s32.s8.u8.s32", 16, 16, "s8", "u8", "s32", 8, A16, B16});
  checkMma({"row.col.s32.s8.s8.s32", 16, 32, "s8", "s8", "s32", 8, A32, B32});
  checkMma({"row.col.satfinite.s32.s8.s8.s32", 16, 32, "s8", "s8", "s32", 8, A32, B32}, true);
  checkMma({"row.col.f32.e4m3.e4m3.f32", 16, 32, "e4m3", "e4m3", "f32", 8, A32, B32});
  checkMma({"row.col.f32.e4m3.e5m2.f32", 16, 32, "e4m3", "e5m2", "f32", 8, A32, B32});
  checkMma({"row.col.f16.e5m2.e5m2.f16", 16, 32, "e5m2", "e5m2", "f16", 8, A32, B32});
}

TEST(Mma, FourBits) {
  Layout A8 = [](unsigned L, unsigned I) { return Place{group(L), in(L) * 8 + I}; };
  Layout B32 = [](unsigned L, unsigned I) { return Place{in(L) * 8 + I, group(L)}; };
  Layout A32 = [](unsigned L, unsigned I) {
    return Place{group(L) + (I >= 8 ? 8 : 0), in(L) * 8 + (I & 7)};
  };
  Layout A64 = [](unsigned L, unsigned I) {
    bool Top = I < 8 || (I >= 16 && I < 24);
    return Place{Top ? group(L) : group(L) + 8, in(L) * 8 + (I & 7) + (I >= 16 ? 32 : 0)};
  };
  Layout B64 = [](unsigned L, unsigned I) {
    return Place{in(L) * 8 + (I & 7) + (I >= 8 ? 32 : 0), group(L)};
  };
  checkMma({"row.col.s32.s4.s4.s32", 8, 32, "s4", "s4", "s32", 4, A8, B32});
  checkMma({"row.col.s32.u4.s4.s32", 16, 32, "u4", "s4", "s32", 4, A32, B32});
  checkMma({"row.col.s32.s4.u4.s32", 16, 64, "s4", "u4", "s32", 4, A64, B64});
}

TEST(Mma, Bits) {
  // A of ones in row g up to column 32 * g.., B of all ones: .and counts the ones of the row.
  MockWarp Warp;
  Operands O(32);
  for (unsigned L = 0; L != 32; ++L)
    O[L] = {0, 0, 0, 0, L / 4, L / 4 + 8, 0, 1, ~0u, ~0u, 100, 100, 100, 100};
  std::vector<unsigned> Bits(14, 32);
  auto Text = [](StringRef Op) {
    return ("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32." + Op +
            ".popc {$0,$1,$2,$3}, {$4,$5,$6,$7}, {$8,$9}, {$10,$11,$12,$13};")
        .str();
  };
  Operands P = O;
  ASSERT_TRUE(Warp.run(*parsed(Text("and"), Bits), P)) << Warp.Failure;
  for (unsigned L = 0; L != 32; ++L) {
    unsigned Top = static_cast<unsigned>(__builtin_popcount(L / 4)) * 4;
    unsigned Bottom = static_cast<unsigned>(__builtin_popcount(L / 4 + 8) + 1) * 4;
    EXPECT_EQ(P[L][0], 100 + Top);
    EXPECT_EQ(P[L][3], 100 + Bottom);
  }
  P = O;
  ASSERT_TRUE(Warp.run(*parsed(Text("xor"), Bits), P)) << Warp.Failure;
  EXPECT_EQ(P[5][0], 100u + 256 - 4);
}

TEST(Mma, Doubles) {
  struct Shape {
    unsigned M, K;
    Layout A, B;
  };
  const Shape Shapes[] = {
      {8, 4, [](unsigned L, unsigned) { return Place{group(L), in(L)}; },
       [](unsigned L, unsigned) { return Place{in(L), group(L)}; }},
      {16, 4, [](unsigned L, unsigned I) { return Place{group(L) + 8 * I, in(L)}; },
       [](unsigned L, unsigned) { return Place{in(L), group(L)}; }},
      {16, 8,
       [](unsigned L, unsigned I) {
         return Place{group(L) + (I & 1) * 8, in(L) + (I >= 2 ? 4 : 0)};
       },
       [](unsigned L, unsigned I) { return Place{in(L) + I * 4, group(L)}; }},
      {16, 16,
       [](unsigned L, unsigned I) {
         return Place{group(L) + (I % 2 ? 8 : 0), (I % 2 ? I * 2 - 2 : I * 2) + in(L)};
       },
       [](unsigned L, unsigned I) { return Place{in(L) + I * 4, group(L)}; }}};
  for (const Shape &S : Shapes) {
    std::mt19937 Random(5);
    unsigned NA = S.M * S.K / 32, NB = S.K * 8 / 32, NC = S.M * 8 / 32;
    std::vector<double> A(S.M * S.K), B(S.K * 8), C(S.M * 8), D(S.M * 8);
    Operands O(32);
    auto CPlace = [&](unsigned L, unsigned I) {
      return Place{group(L) + (I >= 2 ? 8 : 0), in(L) * 2 + (I & 1)};
    };
    for (unsigned L = 0; L != 32; ++L) {
      auto Add = [&](std::vector<double> &Matrix, unsigned Columns, Place P) {
        double V = std::generate_canonical<double, 53>(Random);
        Matrix[P.Row * Columns + P.Column] = V;
        O[L].push_back(bitCast<uint64_t>(V));
      };
      O[L].assign(NC, 0);
      for (unsigned I = 0; I != NA; ++I)
        Add(A, S.K, S.A(L, I));
      for (unsigned I = 0; I != NB; ++I)
        Add(B, 8, S.B(L, I));
      for (unsigned I = 0; I != NC; ++I)
        Add(C, 8, CPlace(L, I));
    }
    // To the bit: fused, with k ascending.
    for (unsigned R = 0; R != S.M; ++R)
      for (unsigned X = 0; X != 8; ++X) {
        double Sum = C[R * 8 + X];
        for (unsigned K = 0; K != S.K; ++K)
          Sum = std::fma(A[R * S.K + K], B[K * 8 + X], Sum);
        D[R * 8 + X] = Sum;
      }
    unsigned Next = 0;
    auto Vector = [&](unsigned Count) {
      std::string V = "{";
      for (unsigned I = 0; I != Count; ++I)
        V += (I ? ", $" : "$") + std::to_string(Next++);
      return V + "}";
    };
    std::string Text = formatv("mma.sync.aligned.m{0}n8k{1}.row.col.f64.f64.f64.f64{2} ", S.M, S.K,
                               S.M == 16 ? ".rn" : "");
    Text += Vector(NC) + ", ";
    Text += Vector(NA) + ", ";
    Text += Vector(NB) + ", ";
    Text += Vector(NC) + ";";
    MockWarp Warp;
    ASSERT_TRUE(Warp.run(*parsed(Text, std::vector<unsigned>(Next, 64)), O)) << Warp.Failure;
    for (unsigned L = 0; L != 32; ++L)
      for (unsigned I = 0; I != NC; ++I) {
        Place P = CPlace(L, I);
        ASSERT_EQ(O[L][I], bitCast<uint64_t>(D[P.Row * 8 + P.Column])) << Text << L << " " << I;
      }
  }
}

// mma.m8n8k4 of half: four products, laid out as the ISA's tables say.
TEST(Mma, QuadPairs) {
  for (bool ColumnA : {false, true})
    for (bool ColumnB : {false, true})
      for (int Sums = 0; Sums != 3; ++Sums) { // f16 f16, f32 f32, f32 f16
        bool FloatD = Sums != 0, FloatC = Sums == 1;
        std::mt19937 Random(5);
        double A[4][8][4], B[4][4][8], C[4][8][8];
        unsigned ND = FloatD ? 8 : 4, NC = FloatC ? 8 : 4;
        Operands O(32, std::vector<uint64_t>(ND + 4 + NC, 0));
        auto InC = [](bool Float, unsigned L, unsigned I) {
          if (!Float)
            return Place{L < 16 ? L % 4 : L % 4 + 4, I};
          unsigned X = (L & 1) + (I & 2);
          return Place{L < 16 ? X : X + 4, (I & 4) + (L & 2) + (I & 1)};
        };
        for (unsigned L = 0; L != 32; ++L) {
          unsigned Q = L % 16 / 4;
          for (unsigned I = 0; I != 4; ++I) {
            int VA = int(Random() % 17) - 8, VB = int(Random() % 17) - 8;
            unsigned Row = ColumnA ? (L < 16 ? I : I + 4) : (L < 16 ? L % 4 : L % 4 + 4);
            A[Q][Row][ColumnA ? L % 4 : I] = VA;
            unsigned Column = ColumnB ? (L < 16 ? L % 4 : L % 4 + 4) : (L < 16 ? I : I + 4);
            B[Q][ColumnB ? I : L % 4][Column] = VB;
            O[L][ND + I / 2] |= uint64_t(floatToHalf(float(VA))) << (16 * (I % 2));
            O[L][ND + 2 + I / 2] |= uint64_t(floatToHalf(float(VB))) << (16 * (I % 2));
          }
          for (unsigned I = 0; I != 8; ++I) {
            int V = int(Random() % 17) - 8;
            Place P = InC(FloatC, L, I);
            C[Q][P.Row][P.Column] = V;
            if (FloatC)
              O[L][ND + 4 + I] = bitCast<uint32_t>(float(V));
            else
              O[L][ND + 4 + I / 2] |= uint64_t(floatToHalf(float(V))) << (16 * (I % 2));
          }
        }
        unsigned Next = 0;
        auto Vector = [&](unsigned Count) {
          std::string V = "{";
          for (unsigned I = 0; I != Count; ++I)
            V += (I ? ", $" : "$") + std::to_string(Next++);
          return V + "}";
        };
        std::string Text =
            formatv("mma.sync.aligned.m8n8k4.{0}.{1}.{2}.f16.f16.{3} ", ColumnA ? "col" : "row",
                    ColumnB ? "col" : "row", FloatD ? "f32" : "f16", FloatC ? "f32" : "f16");
        Text += Vector(ND) + ", ";
        Text += Vector(2) + ", ";
        Text += Vector(2) + ", ";
        Text += Vector(NC) + ";";
        MockWarp Warp;
        ASSERT_TRUE(Warp.run(*parsed(Text, std::vector<unsigned>(Next, 32)), O)) << Warp.Failure;
        for (unsigned L = 0; L != 32; ++L)
          for (unsigned I = 0; I != 8; ++I) {
            unsigned Q = L % 16 / 4;
            Place P = InC(FloatD, L, I);
            double Want = C[Q][P.Row][P.Column];
            for (unsigned K = 0; K != 4; ++K)
              Want += A[Q][P.Row][K] * B[Q][K][P.Column];
            double Got = FloatD ? double(bitCast<float>(uint32_t(O[L][I])))
                                : double(halfToFloat(uint16_t(O[L][I / 2] >> (16 * (I % 2)))));
            ASSERT_EQ(Got, Want) << Text << L << " " << I;
          }
      }
}

TEST(Mma, WhatDoesNotGoTogether) {
  auto Error = [](StringRef Modifiers) {
    return parseError(("mma.sync.aligned." + Modifiers + " {$0,$0}, {$0}, {$0}, {$0,$0};").str(),
                      {32});
  };
  for (StringRef M : {"m16n8k16.row.row.f32.f16.f16.f32", "m16n8k16.row.col.f16.f16.f16.f32",
                      "m16n8k16.row.col.f32.f16.bf16.f32", "m16n8k4.row.col.f32.f16.f16.f32",
                      "m16n8k16.row.col.satfinite.f32.f16.f16.f32",
                      "m16n8k16.row.col.f16.bf16.bf16.f16", "m8n8k128.row.col.s32.b1.b1.s32",
                      "m16n8k32.row.col.s32.s8.s4.s32", "sp.m16n8k32.row.col.f32.f16.f16.f32"})
    EXPECT_EQ(Error(M), ("'mma.sync.aligned." + M + "' is not emulated").str());
  EXPECT_EQ(
      Error("m16n8k8.row.col.f32.tf32.tf32.f32"),
      "'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32': the vectors do not have the shape's "
      "number of registers");
}

// The plain functions, with sums that show order and precision.
TEST(Mma, Arithmetic) {
  // 2^24 + 1 + 1: rounded after every product.
  const float A[] = {1, 1}, B[] = {1, 1};
  EXPECT_EQ(dot(A, B, 1, 2, 0x1p24f), 0x1p24f);
  EXPECT_EQ(dot(A, B, 1, 2, 0x1p24f - 1), 0x1p24f);
  // A product that leaves float's range.
  const float Big[] = {0x1p100f, 1}, Huge[] = {0x1p100f, 1};
  EXPECT_EQ(dot(Big, Huge, 1, 2, 1), INFINITY);
  const int16_t X[] = {255, 255}, Y[] = {255, 127};
  EXPECT_EQ(dot(X, Y, 1, 2, 0x7fffffff, true), 0x7fffffff);
  EXPECT_EQ(dot(X, Y, 1, 2, 0x7fffffff, false), int32_t(0x80000000u + 255 * 382 - 1));
  const float MA[] = {1, 2, 3, 4, 5, 6}, MB[] = {1, 0, 0, 1, 1, 1};
  float C[] = {10, 20, 30, 40};
  multiply(2, 2, 3, MA, MB, C, C);
  EXPECT_EQ(C[0], 14);
  EXPECT_EQ(C[1], 25);
  EXPECT_EQ(C[2], 40);
  EXPECT_EQ(C[3], 51);
  const double DA[] = {1 + 0x1p-30}, DC[] = {-(1 + 0x1p-29)};
  double DD[1];
  multiply(1, 1, 1, DA, DA, DC, DD);
  EXPECT_EQ(DD[0], 0x1p-60);
}

} // namespace
