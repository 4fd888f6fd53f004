//===- WmmaTest.cpp - Matrix fragments of the device library -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// D = 2 A B + C for every shape, type and layout that is documented, with integers for which every
/// order of the sum is exact, against a triple loop.
///
//===----------------------------------------------------------------------===//
#include "Emulated.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using llvm::APFloat;

namespace {

// Numbers as bytes of a type.
struct Type {
  const char *Name, *Memory; ///< of the fragment, of the matrix
  unsigned Bytes;
  const llvm::fltSemantics *Semantics; ///< null: integers
};
const Type Half = {"half", "half", 2, &APFloat::IEEEhalf()};
const Type BFloat = {"__nv_bfloat16", "__nv_bfloat16", 2, &APFloat::BFloat()};
const Type Tf32 = {"wmma::precision::tf32", "float", 4, &APFloat::IEEEsingle()};
const Type Float = {"float", "float", 4, &APFloat::IEEEsingle()};
const Type Double = {"double", "double", 8, &APFloat::IEEEdouble()};
const Type S8 = {"signed char", "signed char", 1, nullptr};
const Type U8 = {"unsigned char", "unsigned char", 1, nullptr};
const Type Int = {"int", "int", 4, nullptr};

void put(std::vector<uint8_t> &To, size_t At, const Type &T, int V) {
  uint64_t Bits = static_cast<uint64_t>(int64_t(V));
  if (T.Semantics) {
    APFloat X(static_cast<double>(V));
    bool Lost;
    X.convert(*T.Semantics, llvm::RoundingMode::NearestTiesToEven, &Lost);
    EXPECT_FALSE(Lost);
    Bits = X.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(&To[At * T.Bytes], &Bits, T.Bytes);
}
double get(const std::vector<uint8_t> &From, size_t At, const Type &T) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, &From[At * T.Bytes], T.Bytes);
  if (!T.Semantics)
    return static_cast<int32_t>(Bits);
  APFloat X(*T.Semantics, llvm::APInt(8 * T.Bytes, Bits));
  bool Lost;
  X.convert(APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven, &Lost);
  return X.convertToDouble();
}

struct Shape {
  int M, N, K;
};

struct Case {
  Type Factor, Start, Result;
  std::vector<Shape> Shapes;
};
const std::vector<Shape> Wide = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
const Case Cases[] = {{Half, Float, Float, Wide},
                      {Half, Half, Half, Wide},
                      {Half, Half, Float, Wide},
                      {Half, Float, Half, Wide},
                      {BFloat, Float, Float, Wide},
                      {S8, Int, Int, Wide},
                      {U8, Int, Int, Wide},
                      {Tf32, Float, Float, {{16, 16, 8}}},
                      {Double, Double, Double, {{8, 8, 4}}}};

// Leading dimension of all matrices: there is room between the rows.
constexpr int Ldm = 48;

std::string kernelName(const Shape &S, unsigned Layouts) {
  return llvm::formatv("product{0}x{1}x{2}_{3}", S.M, S.N, S.K, Layouts);
}

/// The bits of \p Layouts: A, B, C, D by columns.
std::string kernelText(const Case &C, const Shape &S, unsigned Layouts) {
  auto Layout = [&](unsigned Bit) { return Layouts >> Bit & 1 ? "col_major" : "row_major"; };
  return llvm::formatv(R"(
    __global__ void {0}(const {1} *a, const {1} *b, const {2} *c, {3} *d) {{
      wmma::fragment<wmma::matrix_a, {4}, {5}, {6}, {7}, wmma::{8}> fa;
      wmma::fragment<wmma::matrix_b, {4}, {5}, {6}, {7}, wmma::{9}> fb;
      wmma::fragment<wmma::accumulator, {4}, {5}, {6}, {2}> fc;
      wmma::fragment<wmma::accumulator, {4}, {5}, {6}, {3}> fd;
      wmma::load_matrix_sync(fa, a, {10});
      wmma::load_matrix_sync(fb, b, {10});
      wmma::load_matrix_sync(fc, c, {10}, wmma::mem_{11});
      for (int i = 0; i < fa.num_elements; ++i)
        fa.x[i] = fa.x[i] + fa.x[i];
      wmma::mma_sync(fd, fa, fb, fc);
      wmma::store_matrix_sync(d, fd, {10}, wmma::mem_{12});
    })",
                       kernelName(S, Layouts), C.Factor.Memory, C.Start.Name, C.Result.Name, S.M,
                       S.N, S.K, C.Factor.Name, Layout(0), Layout(1), Ldm, Layout(2), Layout(3));
}

TEST(Wmma, EveryShapeTypeAndLayout) {
  // Each layout of A and B, with equal and with unlike layouts of C and D.
  const unsigned SomeLayouts[] = {0, 5, 10, 15, 3, 12};
  std::mt19937 Random(6);
  for (const Case &C : Cases) {
    std::string Source = "#include <mma.h>\nusing namespace nvcuda;\n";
    for (const Shape &S : C.Shapes)
      for (unsigned Layouts : SomeLayouts)
        Source += kernelText(C, S, Layouts);
    Emulated E(Source);
    for (const Shape &S : C.Shapes)
      for (unsigned Layouts : SomeLayouts) {
        bool Cols[4];
        for (unsigned I = 0; I != 4; ++I)
          Cols[I] = (Layouts >> I & 1) != 0;
        auto At = [&](int Row, int Column, bool ByColumns) {
          return static_cast<size_t>(ByColumns ? Column * Ldm + Row : Row * Ldm + Column);
        };
        const size_t Elements = Ldm * 32;
        std::vector<uint8_t> A(Elements * C.Factor.Bytes), B(A.size()),
            Start(Elements * C.Start.Bytes), D(Elements * C.Result.Bytes);
        std::vector<int> AV(static_cast<size_t>(S.M * S.K)), BV(static_cast<size_t>(S.K * S.N)),
            CV(static_cast<size_t>(S.M * S.N));
        bool Unsigned = C.Factor.Name == U8.Name;
        auto Number = [&] { return static_cast<int>(Random() % 9) - (Unsigned ? 0 : 4); };
        auto Fill = [&](std::vector<int> &V, int Rows, int Columns, std::vector<uint8_t> &To,
                        const Type &T, bool ByColumns) {
          for (int R = 0; R != Rows; ++R)
            for (int Q = 0; Q != Columns; ++Q) {
              int X = V[static_cast<size_t>(R * Columns + Q)] = Number();
              put(To, At(R, Q, ByColumns), T, X);
            }
        };
        Fill(AV, S.M, S.K, A, C.Factor, Cols[0]);
        Fill(BV, S.K, S.N, B, C.Factor, Cols[1]);
        Fill(CV, S.M, S.N, Start, C.Start, Cols[2]);
        E.pass(kernelName(S, Layouts), 32, A, B, Start, D);
        for (int R = 0; R != S.M; ++R)
          for (int Q = 0; Q != S.N; ++Q) {
            int Sum = CV[static_cast<size_t>(R * S.N + Q)];
            for (int J = 0; J != S.K; ++J)
              Sum +=
                  2 * AV[static_cast<size_t>(R * S.K + J)] * BV[static_cast<size_t>(J * S.N + Q)];
            ASSERT_EQ(get(D, At(R, Q, Cols[3]), C.Result), Sum)
                << C.Factor.Name << ", " << C.Start.Name << " -> " << C.Result.Name << ", "
                << kernelName(S, Layouts) << " at " << R << ", " << Q;
          }
      }
  }
}

TEST(Wmma, RulesAndSaturation) {
  Emulated E(R"(
    #include <mma.h>
    using namespace nvcuda;
    __global__ void crooked(half *a, int *offset, int *ldm) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
      wmma::load_matrix_sync(fa, a + *offset, *ldm);
      if (fa.x[0] == half(3))
        a[0] = fa.x[15];
    }
    __global__ void saturates(signed char *a, int *d) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
      wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
      wmma::load_matrix_sync(fa, a, 16);
      wmma::load_matrix_sync(fb, a, 16);
      wmma::fill_fragment(fc, 2147483647);
      wmma::mma_sync(fc, fa, fb, fc, true);
      wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
      wmma::fill_fragment(fc, 2147483647);
      wmma::mma_sync(fc, fa, fb, fc);
      wmma::store_matrix_sync(d + 256, fc, 16, wmma::mem_row_major);
    }
    __global__ void truncates(float *a, float *d) {
      wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
      wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
      wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
      wmma::load_matrix_sync(fa, a, 8);
      wmma::fill_fragment(fb, 0.125f);
      wmma::fill_fragment(fc, 0.0f);
      wmma::mma_sync(fc, fa, fb, fc);
      wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
      if (threadIdx.x == 0)
        d[256] = wmma::__float_to_tf32(1.0f + 0x1p-11f);
    })");
  std::vector<uint16_t> A(1024);
  std::vector<int> Offset = {0}, Ldm = {24};
  E.pass("crooked", 32, A, Offset, Ldm); // 48 bytes: as the usual padding
  Offset[0] = 8;
  E.run("crooked", 32, A, Offset, Ldm);
  EXPECT_EQ(E.Fault, "a wmma matrix whose address is not a multiple of 32 bytes");
  Offset[0] = 16, Ldm[0] = 20;
  E.run("crooked", 32, A, Offset, Ldm);
  EXPECT_EQ(E.Fault, "a wmma matrix whose leading dimension is not a multiple of 16 bytes");
  Offset[0] = 1024 - 256, Ldm[0] = 24;
  E.run("crooked", 32, A, Offset, Ldm);
  EXPECT_NE(E.Fault.find("outside of the array"), std::string::npos) << E.Fault;
  EXPECT_EQ(E.Place.substr(0, 13), "kernels.cu:6:");

  std::vector<int8_t> Ones(256, 1);
  std::vector<int> D(512);
  E.pass("saturates", 32, Ones, D);
  EXPECT_EQ(D[0], 2147483647);
  EXPECT_EQ(D[256], -2147483648 + 15);

  std::vector<float> F(128, 1.0f + 0x1p-12f), R(257);
  E.pass("truncates", 32, F, R);
  EXPECT_EQ(R[0], 1.0f);
  EXPECT_EQ(R[256], 1.0f + 0x1p-10f);
}

} // namespace
