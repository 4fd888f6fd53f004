//===- ArithmeticTest.cpp - Numbers of the device library ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Against LLVM's APFloat, which computes with integers of any length.
///
//===----------------------------------------------------------------------===//
#include "Emulated.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <cmath>
#include <limits>
#include <random>

using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;

namespace {

using Mode = llvm::RoundingMode;
// As the suffixes _rn, _rz, _ru, _rd.
const Mode Modes[] = {Mode::NearestTiesToEven, Mode::TowardZero, Mode::TowardPositive,
                      Mode::TowardNegative};
const char *const Suffixes[] = {"rn", "rz", "ru", "rd"};

struct Format {
  const char *Type, *Pair, *Name; ///< "__half", "__half2", "half"
  const llvm::fltSemantics &Semantics;
};
const Format Halves[] = {{"__half", "__half2", "half", APFloat::IEEEhalf()},
                         {"__nv_bfloat16", "__nv_bfloat162", "bfloat16", APFloat::BFloat()}};

APFloat number(uint16_t Bits, const llvm::fltSemantics &S) { return APFloat(S, APInt(16, Bits)); }

/// The bits of \p X in \p S; every NaN is 0x7fff.
uint16_t bits(APFloat X, const llvm::fltSemantics &S, Mode M = Modes[0]) {
  bool Lost;
  X.convert(S, M, &Lost);
  return X.isNaN() ? 0x7fff : static_cast<uint16_t>(X.bitcastToAPInt().getZExtValue());
}

template <class F> bool same(F A, F B) {
  return std::isnan(A) ? std::isnan(B) : A == B && std::signbit(A) == std::signbit(B);
}

/// \p Text with every TYPE, PAIR and NAME replaced.
std::string fill(std::string Text, const Format &F) {
  for (auto [From, To] : {std::pair("TYPE", F.Type), {"PAIR", F.Pair}, {"NAME", F.Name}})
    for (size_t At; (At = Text.find(From)) != std::string::npos;)
      Text.replace(At, std::strlen(From), To);
  return Text;
}

/// Floats where rounding to a shorter format is difficult: its numbers, the middles between them,
/// the neighbours of both; and random ones.
std::vector<float> difficultFloats(const llvm::fltSemantics &S) {
  std::vector<float> All;
  bool Lost;
  for (unsigned I = 0; I < 0x10000; I += 7) {
    APFloat A = number(static_cast<uint16_t>(I), S), B = number(static_cast<uint16_t>(I + 1), S);
    A.convert(APFloat::IEEEdouble(), Modes[0], &Lost);
    B.convert(APFloat::IEEEdouble(), Modes[0], &Lost);
    for (double D : {A.convertToDouble(), (A.convertToDouble() + B.convertToDouble()) / 2}) {
      float F = static_cast<float>(D);
      All.insert(All.end(), {F, std::nextafter(F, 1e38f), std::nextafter(F, -1e38f)});
    }
  }
  std::mt19937 Random(1);
  for (int I = 0; I != 10000; ++I) {
    uint32_t Bits = static_cast<uint32_t>(Random());
    float F;
    std::memcpy(&F, &Bits, 4);
    All.push_back(F);
  }
  return All;
}

TEST(Half, ConversionsFromAndToFloat) {
  for (const Format &F : Halves) {
    Emulated E(fill(R"(
      #include <cuda_bf16.h>
      __global__ void widen(TYPE *in, float *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x) out[i] = __NAME2float(in[i]);
      }
      __global__ void narrow(float *in, TYPE *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x) {
          out[4 * i] = __float2NAME_rn(in[i]);
          out[4 * i + 1] = __float2NAME_rz(in[i]);
          out[4 * i + 2] = __float2NAME_ru(in[i]);
          out[4 * i + 3] = __float2NAME_rd(in[i]);
        }
      }
      __global__ void narrowDouble(double *in, TYPE *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x) out[i] = TYPE(in[i]);
      })",
                    F));
    std::vector<uint16_t> In(0x10000);
    std::vector<float> Wide(In.size());
    std::vector<int> N = {0x10000};
    for (unsigned I = 0; I != In.size(); ++I)
      In[I] = static_cast<uint16_t>(I);
    E.pass("widen", 32, In, Wide, N);
    for (unsigned I = 0; I != In.size(); ++I) {
      bool Lost;
      APFloat X = number(In[I], F.Semantics);
      X.convert(APFloat::IEEEsingle(), Modes[0], &Lost);
      ASSERT_TRUE(same(Wide[I], X.convertToFloat())) << F.Name << " " << I;
    }

    std::vector<float> Floats = difficultFloats(F.Semantics);
    std::vector<uint16_t> Out(Floats.size() * 4);
    N[0] = static_cast<int>(Floats.size());
    E.pass("narrow", 32, Floats, Out, N);
    for (size_t I = 0; I != Floats.size(); ++I)
      for (unsigned M = 0; M != 4; ++M)
        ASSERT_EQ(Out[4 * I + M], bits(APFloat(Floats[I]), F.Semantics, Modes[M]))
            << F.Name << "_" << Suffixes[M] << " of " << Floats[I];

    // Just beside what is the middle in float: rounding twice would be wrong.
    std::vector<double> Doubles;
    for (float X : Floats)
      Doubles.insert(Doubles.end(), {double(X), std::nextafter(double(X), 1e300),
                                     std::nextafter(double(X), -1e300)});
    Out.resize(Doubles.size());
    N[0] = static_cast<int>(Doubles.size());
    E.pass("narrowDouble", 32, Doubles, Out, N);
    for (size_t I = 0; I != Doubles.size(); ++I)
      ASSERT_EQ(Out[I], bits(APFloat(Doubles[I]), F.Semantics)) << F.Name << " of " << Doubles[I];
  }
}

TEST(Half, Arithmetic) {
  for (const Format &F : Halves) {
    Emulated E(fill(R"(
      #include <cuda_bf16.h>
      __global__ void compute(TYPE *a, TYPE *b, TYPE *c, TYPE *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x) {
          TYPE *r = out + 8 * i;
          r[0] = a[i] + b[i];
          r[1] = a[i] - b[i];
          r[2] = a[i] * b[i];
          r[3] = a[i] / b[i];
          r[4] = __hfma(a[i], b[i], c[i]);
          r[5] = hsqrt(a[i]);
          r[6] = __hmax(a[i], b[i]);
          r[7] = __hmin_nan(a[i], b[i]);
        }
      }
      __global__ void pairs(PAIR *a, PAIR *b, PAIR *c, PAIR *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x) {
          PAIR *r = out + 8 * i;
          r[0] = a[i] + b[i];
          r[1] = __hsub2(a[i], b[i]);
          r[2] = a[i]; r[2] *= b[i];
          r[3] = __h2div(a[i], b[i]);
          r[4] = __hfma2(a[i], b[i], c[i]);
          r[5] = h2sqrt(a[i]);
          r[6] = __hmax2(a[i], b[i]);
          r[7] = __hmin2_nan(a[i], b[i]);
        }
      }
      __global__ void compare(TYPE *a, TYPE *b, int *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x)
          out[i] = (a[i] < b[i]) | (a[i] <= b[i]) << 1 | (a[i] == b[i]) << 2 | (a[i] != b[i]) << 3 |
                   __hltu(a[i], b[i]) << 4 | __hne(a[i], b[i]) << 5 | (a[i] > b[i]) << 6;
      })",
                    F));
    // Every number is an operand; partners are near in magnitude as often as far.
    std::mt19937 Random(2);
    std::vector<uint16_t> A, B, C;
    for (unsigned I = 0; I != 0x10000; ++I) {
      A.push_back(static_cast<uint16_t>(I));
      B.push_back(static_cast<uint16_t>(I % 2 ? Random() : I ^ (Random() & 0x87ff)));
      C.push_back(static_cast<uint16_t>(Random()));
    }
    // A sum that is decided by what lies far below: a product in the middle of two numbers.
    for (unsigned I = 0; I != 20000; ++I) {
      A.push_back(static_cast<uint16_t>(0x3c00 | (Random() & 0x3ff)));
      B.push_back(static_cast<uint16_t>(0x3c00 | (Random() & 0x3ff)));
      C.push_back(static_cast<uint16_t>(Random() & 0x83ff));
    }
    std::vector<uint16_t> Out(A.size() * 8), Pairs(A.size() * 8);
    std::vector<int> N = {static_cast<int>(A.size())}, HalfN = {static_cast<int>(A.size() / 2)};
    E.pass("compute", 64, A, B, C, Out, N);
    E.pass("pairs", 64, A, B, C, Pairs, HalfN);
    std::vector<int> Relations(A.size());
    E.pass("compare", 64, A, B, Relations, N);
    for (size_t I = 0; I != A.size(); ++I) {
      APFloat X = number(A[I], F.Semantics), Y = number(B[I], F.Semantics);
      APFloat Sum = X, Difference = X, Product = X, Quotient = X, Fused = X;
      Sum.add(Y, Modes[0]);
      Difference.subtract(Y, Modes[0]);
      Product.multiply(Y, Modes[0]);
      Quotient.divide(Y, Modes[0]);
      Fused.fusedMultiplyAdd(Y, number(C[I], F.Semantics), Modes[0]);
      bool Lost;
      APFloat Root = X;
      Root.convert(APFloat::IEEEdouble(), Modes[0], &Lost);
      Root = APFloat(std::sqrt(Root.convertToDouble())); // 53 bits, of which 24 suffice
      const APFloat Want[] = {Sum,
                              Difference,
                              Product,
                              Quotient,
                              Fused,
                              Root,
                              llvm::maximumnum(X, Y),
                              llvm::minimum(X, Y)};
      for (unsigned Op = 0; Op != 8; ++Op) {
        uint16_t Bits = bits(Want[Op], F.Semantics);
        ASSERT_EQ(Out[8 * I + Op], Bits)
            << F.Name << " operation " << Op << " of " << A[I] << ", " << B[I] << ", " << C[I];
        ASSERT_EQ(Pairs[16 * (I / 2) + 2 * Op + I % 2], Bits) << F.Pair << " operation " << Op;
      }
      auto Order = X.compare(Y);
      bool Less = Order == APFloat::cmpLessThan, Equal = Order == APFloat::cmpEqual;
      bool Unordered = Order == APFloat::cmpUnordered, Greater = Order == APFloat::cmpGreaterThan;
      ASSERT_EQ(Relations[I], Less | (Less || Equal) << 1 | Equal << 2 | (!Equal) << 3 |
                                  (Less || Unordered) << 4 | (Less || Greater) << 5 | Greater << 6)
          << F.Name << " " << A[I] << " " << B[I];
    }
  }
}

TEST(Half, Integers) {
  for (const Format &F : Halves) {
    Emulated E(fill(R"(
      #include <cuda_bf16.h>
      __global__ void toInteger(TYPE *in, long long *out) {
        for (int i = threadIdx.x; i < 65536; i += blockDim.x) {
          long long *r = out + 8 * i;
          r[0] = __NAME2int_rn(in[i]); r[1] = __NAME2int_rz(in[i]);
          r[2] = __NAME2int_ru(in[i]); r[3] = __NAME2int_rd(in[i]);
          r[4] = (unsigned short)in[i]; r[5] = (signed char)in[i];
          r[6] = __NAME2ll_rn(in[i]); r[7] = (long long)__NAME2ull_rz(in[i]);
        }
      }
      __global__ void fromInteger(long long *in, TYPE *out, int *n) {
        for (int i = threadIdx.x; i < *n; i += blockDim.x) {
          TYPE *r = out + 8 * i;
          r[0] = __ll2NAME_rn(in[i]); r[1] = __ll2NAME_rz(in[i]);
          r[2] = __ll2NAME_ru(in[i]); r[3] = __ll2NAME_rd(in[i]);
          r[4] = TYPE((unsigned long long)in[i]); r[5] = TYPE((int)in[i]);
          r[6] = TYPE((short)in[i]); r[7] = TYPE((unsigned)in[i]);
        }
      })",
                    F));
    std::vector<uint16_t> In(0x10000);
    for (unsigned I = 0; I != In.size(); ++I)
      In[I] = static_cast<uint16_t>(I);
    std::vector<int64_t> Out(In.size() * 8);
    E.pass("toInteger", 64, In, Out);
    auto Convert = [](const APFloat &X, unsigned Width, bool Signed, Mode M) -> int64_t {
      if (X.isNaN())
        return Width == 64 ? std::numeric_limits<int64_t>::min() : 0;
      APSInt R(Width, !Signed);
      bool Exact;
      X.convertToInteger(R, M, &Exact); // saturates
      return Signed ? R.getSExtValue() : static_cast<int64_t>(R.getZExtValue());
    };
    for (unsigned I = 0; I != In.size(); ++I) {
      APFloat X = number(In[I], F.Semantics);
      const int64_t *R = &Out[8 * I];
      for (unsigned M = 0; M != 4; ++M)
        ASSERT_EQ(R[M], Convert(X, 32, true, Modes[M]))
            << F.Name << "2int_" << Suffixes[M] << " " << I;
      ASSERT_EQ(R[4], Convert(X, 16, false, Mode::TowardZero)) << F.Name << " " << I;
      ASSERT_EQ(R[5], Convert(X, 8, true, Mode::TowardZero)) << F.Name << " " << I;
      ASSERT_EQ(R[6], Convert(X, 64, true, Modes[0])) << F.Name << " " << I;
      ASSERT_EQ(R[7], Convert(X, 64, false, Mode::TowardZero)) << F.Name << " " << I;
    }
    std::mt19937_64 Random(3);
    std::vector<int64_t> Integers;
    for (int I = 0; I != 20000; ++I)
      Integers.push_back(static_cast<int64_t>(Random()) >> (Random() % 64));
    for (int64_t I = 2040; I != 4200; ++I) // around the first integers that are no halves
      Integers.push_back(I);
    std::vector<uint16_t> Rounded(Integers.size() * 8);
    std::vector<int> N = {static_cast<int>(Integers.size())};
    E.pass("fromInteger", 64, Integers, Rounded, N);
    auto From = [&](uint64_t V, bool Signed, Mode M) {
      APFloat X(F.Semantics);
      X.convertFromAPInt(APInt(64, V), Signed, M);
      return static_cast<uint16_t>(X.bitcastToAPInt().getZExtValue());
    };
    for (size_t I = 0; I != Integers.size(); ++I) {
      uint64_t V = static_cast<uint64_t>(Integers[I]);
      const uint16_t *R = &Rounded[8 * I];
      for (unsigned M = 0; M != 4; ++M)
        ASSERT_EQ(R[M], From(V, true, Modes[M]))
            << Integers[I] << " to " << F.Name << "_" << Suffixes[M];
      ASSERT_EQ(R[4], From(V, false, Modes[0])) << V;
      ASSERT_EQ(R[5], From(static_cast<uint64_t>(static_cast<int32_t>(V)), true, Modes[0])) << V;
      ASSERT_EQ(R[6], From(static_cast<uint64_t>(static_cast<int16_t>(V)), true, Modes[0])) << V;
      ASSERT_EQ(R[7], From(static_cast<uint32_t>(V), false, Modes[0])) << V;
    }
  }
}

TEST(Fp8, BothFormats) {
  Emulated E(R"(
    #include <cuda_fp8.h>
    __global__ void widen(unsigned char *in, float *out) {
      for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        __nv_fp8_e4m3 a; a.__x = in[i];
        __nv_fp8_e5m2 b; b.__x = in[i];
        out[i] = float(a);
        out[256 + i] = float(b);
      }
    }
    __global__ void narrow(float *in, unsigned char *out, int *n) {
      for (int i = threadIdx.x; i < *n; i += blockDim.x) {
        out[4 * i] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
        out[4 * i + 1] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
        out[4 * i + 2] = __nv_fp8_e4m3(in[i]).__x;
        out[4 * i + 3] = __nv_fp8_e5m2(in[i]).__x;
      }
    })");
  const llvm::fltSemantics *Formats[] = {&APFloat::Float8E4M3FN(), &APFloat::Float8E5M2()};
  std::vector<uint8_t> In(256);
  std::vector<float> Wide(512);
  for (unsigned I = 0; I != 256; ++I)
    In[I] = static_cast<uint8_t>(I);
  E.pass("widen", 32, In, Wide);
  std::vector<float> Floats = difficultFloats(APFloat::IEEEhalf());
  bool Lost;
  for (unsigned K = 0; K != 2; ++K)
    for (unsigned I = 0; I != 256; ++I) {
      APFloat X(*Formats[K], APInt(8, I));
      X.convert(APFloat::IEEEsingle(), Modes[0], &Lost);
      ASSERT_TRUE(same(Wide[256 * K + I], X.convertToFloat())) << K << " " << I;
      // The middles between neighbours and what is beside them.
      APFloat Y(*Formats[K], APInt(8, (I + 1) % 256));
      Y.convert(APFloat::IEEEsingle(), Modes[0], &Lost);
      float Middle = (X.convertToFloat() + Y.convertToFloat()) / 2;
      Floats.insert(Floats.end(),
                    {Middle, std::nextafter(Middle, 1e38f), std::nextafter(Middle, -1e38f)});
    }
  for (float X : {464.0f, 465.0f, 463.0f, 61440.0f, 61439.0f, 1e30f, HUGE_VALF})
    Floats.insert(Floats.end(), {X, -X});
  std::vector<uint8_t> Out(Floats.size() * 4);
  std::vector<int> N = {static_cast<int>(Floats.size())};
  E.pass("narrow", 32, Floats, Out, N);
  for (size_t I = 0; I != Floats.size(); ++I)
    for (unsigned K = 0; K != 2; ++K) {
      APFloat X(Floats[I]);
      APFloat Largest = APFloat::getLargest(*Formats[K], X.isNegative());
      bool Beyond = false;
      X.convert(*Formats[K], Modes[0], &Lost);
      Beyond = X.isInfinity() || (X.isNaN() && !std::isnan(Floats[I]));
      unsigned Sign = std::signbit(Floats[I]) ? 0x80 : 0;
      unsigned Bits = static_cast<unsigned>(X.bitcastToAPInt().getZExtValue());
      unsigned Want = std::isnan(Floats[I]) ? 0x7f : Beyond ? Sign | (K ? 0x7c : 0x7f) : Bits;
      ASSERT_EQ(Out[4 * I + K], Want) << "format " << K << " of " << Floats[I];
      if (Beyond)
        Want = static_cast<unsigned>(Largest.bitcastToAPInt().getZExtValue());
      ASSERT_EQ(Out[4 * I + 2 + K], Want) << "format " << K << " saturated, of " << Floats[I];
    }
}

TEST(Roundings, FloatAndDouble) {
  std::string Source;
  for (const char *S : Suffixes) {
    std::string R = S;
    Source += "__global__ void f" + R +
              "(float *a, float *b, float *c, float *out, int *n) {\n"
              "  for (int i = threadIdx.x; i < *n; i += blockDim.x) {\n"
              "    float *r = out + 6 * i;\n"
              "    r[0] = __fadd_" +
              R + "(a[i], b[i]); r[1] = __fsub_" + R +
              "(a[i], b[i]);\n"
              "    r[2] = __fmul_" +
              R + "(a[i], b[i]); r[3] = __fdiv_" + R +
              "(a[i], b[i]);\n"
              "    r[4] = __fmaf_" +
              R + "(a[i], b[i], c[i]); r[5] = __fsqrt_" + R +
              "(a[i]);\n"
              "  }\n}\n"
              "__global__ void d" +
              R +
              "(double *a, double *b, double *out, int *n) {\n"
              "  for (int i = threadIdx.x; i < *n; i += blockDim.x) {\n"
              "    double *r = out + 5 * i;\n"
              "    r[0] = __dadd_" +
              R + "(a[i], b[i]); r[1] = __dsub_" + R +
              "(a[i], b[i]);\n"
              "    r[2] = __dmul_" +
              R + "(a[i], b[i]); r[3] = __ddiv_" + R +
              "(a[i], b[i]);\n"
              "    r[4] = __double2float_" +
              R +
              "(a[i]);\n"
              "  }\n}\n"
              "__global__ void i" +
              R +
              "(double *a, long long *l, long long *out, double *back, int *n) {\n"
              "  for (int i = threadIdx.x; i < *n; i += blockDim.x) {\n"
              "    long long *r = out + 4 * i;\n"
              "    r[0] = __double2int_" +
              R + "(a[i]); r[1] = __float2uint_" + R +
              "((float)a[i]);\n"
              "    r[2] = __double2ll_" +
              R + "(a[i]); r[3] = (long long)__double2ull_" + R +
              "(a[i]);\n"
              "    double *q = back + 4 * i;\n"
              "    q[0] = __ll2double_" +
              R + "(l[i]); q[1] = __ull2double_" + R +
              "(l[i]);\n"
              "    q[2] = __ll2float_" +
              R + "(l[i]); q[3] = __int2float_" + R +
              "((int)l[i]);\n"
              "  }\n}\n";
  }
  Emulated E(Source);
  std::mt19937_64 Random(4);
  std::vector<float> A, B, C;
  std::vector<double> DA, DB, Numbers;
  std::vector<int64_t> Integers;
  const float Special[] = {0.0f,       -0.0f, 1.0f,           -1.0f,         1e-45f,
                           -1e-45f,    1e38f, -3e38f,         3.4028235e38f, HUGE_VALF,
                           -HUGE_VALF, NAN,   1.1754944e-38f, 0.5f,          2.5f};
  for (float X : Special)
    for (float Y : Special) {
      A.push_back(X);
      B.push_back(Y);
      C.push_back(-X * Y);
    }
  for (int I = 0; I != 30000; ++I) {
    auto Float = [&] {
      uint32_t Bits = static_cast<uint32_t>(Random());
      if (I % 2) // of like size
        Bits = (Bits & 0x80ffffff) | 0x3f000000;
      float F;
      std::memcpy(&F, &Bits, 4);
      return F;
    };
    A.push_back(Float());
    B.push_back(Float());
    C.push_back(I % 3 ? Float() : -A.back() * B.back());
    // The middle range, in which the library is exact.
    auto Double = [&] {
      return std::ldexp(double(int64_t(Random()) >> (Random() % 60)), int(Random() % 80) - 60);
    };
    DA.push_back(Double());
    DB.push_back(Double());
    Numbers.push_back(I % 2 ? double(int64_t(Random()) >> (Random() % 63)) / 4 : Double());
    Integers.push_back(int64_t(Random()) >> (Random() % 63));
  }
  for (double X : {0.5, 1.5, 2.5, -0.5, -1.5, 2147483647.5, -2147483648.5, 4294967295.5, 9.3e18,
                   -9.3e18, 1.9e19, 1e30, -1e30, double(NAN), double(HUGE_VAL)})
    Numbers.push_back(X), Integers.push_back(-1);
  std::vector<int> N = {int(A.size())}, DN = {int(DA.size())}, IN = {int(Numbers.size())};
  for (unsigned M = 0; M != 4; ++M) {
    std::string R = Suffixes[M];
    std::vector<float> Out(A.size() * 6);
    E.pass("f" + R, 64, A, B, C, Out, N);
    for (size_t I = 0; I != A.size(); ++I) {
      APFloat Want[5] = {APFloat(A[I]), APFloat(A[I]), APFloat(A[I]), APFloat(A[I]), APFloat(A[I])};
      Want[0].add(APFloat(B[I]), Modes[M]);
      Want[1].subtract(APFloat(B[I]), Modes[M]);
      Want[2].multiply(APFloat(B[I]), Modes[M]);
      Want[3].divide(APFloat(B[I]), Modes[M]);
      Want[4].fusedMultiplyAdd(APFloat(B[I]), APFloat(C[I]), Modes[M]);
      for (unsigned Op = 0; Op != 5; ++Op)
        ASSERT_TRUE(same(Out[6 * I + Op], Want[Op].convertToFloat()))
            << R << " operation " << Op << " of " << A[I] << ", " << B[I] << ", " << C[I] << ": "
            << Out[6 * I + Op] << " for " << Want[Op].convertToFloat();
      float Root = Out[6 * I + 5];
      if (!(A[I] > 0) || std::isinf(A[I])) {
        ASSERT_TRUE(same(Root, std::sqrt(A[I])));
        continue;
      }
      // Squares of floats are exact in double.
      auto Square = [](float X) { return double(X) * X; };
      float Up = std::nextafter(Root, HUGE_VALF), Down = std::nextafter(Root, 0.0f);
      if (M == 2)
        ASSERT_TRUE(Square(Root) >= A[I] && Square(Down) < A[I]) << A[I];
      else if (M != 0)
        ASSERT_TRUE(Square(Root) <= A[I] && Square(Up) > A[I]) << A[I];
      else
        ASSERT_EQ(Root, std::sqrt(A[I]));
    }
    std::vector<double> DOut(DA.size() * 5);
    E.pass("d" + R, 64, DA, DB, DOut, DN);
    for (size_t I = 0; I != DA.size(); ++I) {
      APFloat Want[5] = {APFloat(DA[I]), APFloat(DA[I]), APFloat(DA[I]), APFloat(DA[I]),
                         APFloat(DA[I])};
      Want[0].add(APFloat(DB[I]), Modes[M]);
      Want[1].subtract(APFloat(DB[I]), Modes[M]);
      Want[2].multiply(APFloat(DB[I]), Modes[M]);
      Want[3].divide(APFloat(DB[I]), Modes[M]);
      bool Lost;
      Want[4].convert(APFloat::IEEEsingle(), Modes[M], &Lost);
      Want[4].convert(APFloat::IEEEdouble(), Modes[0], &Lost);
      for (unsigned Op = 0; Op != 5; ++Op)
        ASSERT_TRUE(same(DOut[5 * I + Op], Want[Op].convertToDouble()))
            << R << " operation " << Op << " of " << DA[I] << ", " << DB[I];
    }
    std::vector<int64_t> IOut(Numbers.size() * 4);
    std::vector<double> Back(Numbers.size() * 4);
    E.pass("i" + R, 64, Numbers, Integers, IOut, Back, IN);
    for (size_t I = 0; I != Numbers.size(); ++I) {
      auto Convert = [&](const APFloat &X, unsigned Width, bool Signed) -> int64_t {
        APSInt V(Width, !Signed);
        bool Exact;
        X.convertToInteger(V, Modes[M], &Exact);
        return Signed ? V.getSExtValue() : static_cast<int64_t>(V.getZExtValue());
      };
      APFloat X(Numbers[I]);
      const int64_t *V = &IOut[4 * I];
      if (X.isNaN()) {
        ASSERT_EQ(V[0], std::numeric_limits<int32_t>::min());
        ASSERT_EQ(V[1], 0);
        ASSERT_EQ(V[2], std::numeric_limits<int64_t>::min());
        ASSERT_EQ(V[3], std::numeric_limits<int64_t>::min());
      } else {
        ASSERT_EQ(V[0], Convert(X, 32, true)) << R << " " << Numbers[I];
        ASSERT_EQ(V[1], Convert(APFloat(float(Numbers[I])), 32, false)) << R << " " << Numbers[I];
        ASSERT_EQ(V[2], Convert(X, 64, true)) << R << " " << Numbers[I];
        ASSERT_EQ(V[3], Convert(X, 64, false)) << R << " " << Numbers[I];
      }
      auto From = [&](const llvm::fltSemantics &S, uint64_t Value, bool Signed) {
        APFloat Y(S);
        bool Lost;
        Y.convertFromAPInt(APInt(64, Value), Signed, Modes[M]);
        Y.convert(APFloat::IEEEdouble(), Modes[0], &Lost);
        return Y.convertToDouble();
      };
      uint64_t L = static_cast<uint64_t>(Integers[I]);
      const double *Q = &Back[4 * I];
      ASSERT_EQ(Q[0], From(APFloat::IEEEdouble(), L, true)) << R << " " << Integers[I];
      ASSERT_EQ(Q[1], From(APFloat::IEEEdouble(), L, false)) << R << " " << L;
      ASSERT_EQ(Q[2], From(APFloat::IEEEsingle(), L, true)) << R << " " << Integers[I];
      ASSERT_EQ(Q[3],
                From(APFloat::IEEEsingle(), static_cast<uint64_t>(static_cast<int32_t>(L)), true))
          << R;
    }
  }
}

TEST(Integers, WordsAndParts) {
  Emulated E(R"(
    __global__ void words(unsigned *a, unsigned *b, unsigned *c, unsigned *out, int *n) {
      for (int i = threadIdx.x; i < *n; i += blockDim.x) {
        unsigned *r = out + 24 * i, x = a[i], y = b[i], z = c[i];
        r[0] = __byte_perm(x, y, z); r[1] = __brev(x); r[2] = __clz(x); r[3] = __ffs(x); r[4] = __popc(x);
        r[5] = __mulhi((int)x, (int)y); r[6] = __umulhi(x, y); r[7] = __mul24(x, y); r[8] = __umul24(x, y);
        r[9] = __sad(x, y, z); r[10] = __usad(x, y, z); r[11] = __hadd((int)x, (int)y); r[12] = __urhadd(x, y);
        r[13] = __funnelshift_l(x, y, z); r[14] = __funnelshift_r(x, y, z); r[15] = __funnelshift_lc(x, y, z % 40);
        r[16] = __dp4a((int)x, (int)y, (int)z); r[17] = __dp4a(x, y, z); r[18] = __dp2a_lo((int)x, (int)y, (int)z);
        r[19] = __dp2a_hi(x, y, z); r[20] = __funnelshift_rc(x, y, z % 40);
        r[21] = __dp4a(*(char4 *)&x, *(char4 *)&y, (int)z); r[22] = __umul64hi((unsigned long long)x << 32 | z, (unsigned long long)y << 32 | x) >> 32;
        r[23] = __fns(x, z % 32, (int)(y % 9) - 4);
      }
    }
    __global__ void parts(unsigned *a, unsigned *b, unsigned *out, int *n) {
      for (int i = threadIdx.x; i < *n; i += blockDim.x) {
        unsigned *r = out + 24 * i, x = a[i], y = b[i];
        r[0] = __vadd4(x, y); r[1] = __vaddss4(x, y); r[2] = __vaddus4(x, y); r[3] = __vsub4(x, y);
        r[4] = __vsubss4(x, y); r[5] = __vsubus4(x, y); r[6] = __vmaxs4(x, y); r[7] = __vminu4(x, y);
        r[8] = __vabsdiffs4(x, y); r[9] = __vsadu4(x, y); r[10] = __vcmpgts4(x, y); r[11] = __vsetleu4(x, y);
        r[12] = __vabs4(x); r[13] = __vabsss4(x); r[14] = __vneg4(x); r[15] = __vnegss4(x);
        r[16] = __vavgu4(x, y); r[17] = __vhaddu4(x, y); r[18] = __vadd2(x, y); r[19] = __vsubss2(x, y);
        r[20] = __vcmpeq2(x, y); r[21] = __vsads2(x, y); r[22] = __vaddss2(x, y); r[23] = __vmaxu2(x, y);
      }
    })");
  std::mt19937 Random(5);
  std::vector<uint32_t> A, B, C;
  const uint32_t Special[] = {0,          1,          0x80000000, 0x7fffffff,
                              0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000};
  for (uint32_t X : Special)
    for (uint32_t Y : Special) {
      A.push_back(X);
      B.push_back(Y);
      C.push_back(static_cast<uint32_t>(Random()));
    }
  for (int I = 0; I != 5000; ++I) {
    A.push_back(static_cast<uint32_t>(Random()));
    B.push_back(static_cast<uint32_t>(I % 4 ? Random() : A.back() ^ (Random() & 0xff00)));
    C.push_back(static_cast<uint32_t>(Random()));
  }
  std::vector<uint32_t> Words(A.size() * 24), Parts(A.size() * 24);
  std::vector<int> N = {int(A.size())};
  E.pass("words", 64, A, B, C, Words, N);
  E.pass("parts", 64, A, B, Parts, N);
  auto Signed = [](auto X) { return static_cast<int64_t>(static_cast<int32_t>(X)); };
  for (size_t I = 0; I != A.size(); ++I) {
    uint32_t X = A[I], Y = B[I], Z = C[I];
    uint8_t XB[4], YB[4], Both[8];
    std::memcpy(XB, &X, 4);
    std::memcpy(YB, &Y, 4);
    std::memcpy(Both, &X, 4);
    std::memcpy(Both + 4, &Y, 4);
    uint32_t Permuted = 0, Reversed = 0, Clz = 32, Popc = 0;
    for (unsigned K = 0; K != 4; ++K)
      Permuted |= uint32_t(Both[Z >> (4 * K) & 7]) << (8 * K);
    for (unsigned K = 0; K != 32; ++K) {
      Reversed |= (X >> K & 1) << (31 - K);
      Popc += X >> K & 1;
      if (X >> K & 1)
        Clz = 31 - K;
    }
    uint32_t Ffs = 0;
    for (unsigned K = 32; K-- != 0;)
      if (X >> K & 1)
        Ffs = K + 1;
    APInt Funnel = APInt(64, uint64_t(Y) << 32 | X);
    int32_t Dot = int32_t(Z), DotLo = int32_t(Z);
    uint32_t UDot = Z, UDotHi = Z;
    for (unsigned K = 0; K != 4; ++K) {
      Dot = int32_t(uint32_t(Dot) + uint32_t(int8_t(XB[K]) * int8_t(YB[K])));
      UDot += uint32_t(XB[K]) * YB[K];
    }
    for (unsigned K = 0; K != 2; ++K) {
      DotLo = int32_t(uint32_t(DotLo) + uint32_t(int16_t(X >> 16 * K) * int8_t(YB[K])));
      UDotHi += uint32_t(uint16_t(X >> 16 * K)) * YB[2 + K];
    }
    APInt Wide = APInt(128, uint64_t(X) << 32 | Z) * APInt(128, uint64_t(Y) << 32 | X);
    int Nth = int(Y % 9) - 4;
    uint32_t Base = Z % 32, Found = ~0u;
    if (Nth == 0) {
      Found = X >> Base & 1 ? Base : ~0u;
    } else {
      std::vector<uint32_t> Set;
      for (int K = int(Base); K >= 0 && K < 32; K += Nth > 0 ? 1 : -1)
        if (X >> K & 1)
          Set.push_back(uint32_t(K));
      if (Set.size() >= size_t(std::abs(Nth)))
        Found = Set[size_t(std::abs(Nth)) - 1];
    }
    auto S24 = [](uint32_t V) { return int64_t(int32_t(V << 8)) / 256; };
    const uint32_t Want[] = {Permuted,
                             Reversed,
                             Clz,
                             Ffs,
                             Popc,
                             uint32_t(Signed(X) * Signed(Y) >> 32),
                             uint32_t(uint64_t(X) * Y >> 32),
                             uint32_t(uint64_t(S24(X) * S24(Y))),
                             uint32_t(uint64_t(X & 0xffffff) * (Y & 0xffffff)),
                             uint32_t(std::abs(Signed(X) - Signed(Y))) + Z,
                             uint32_t(std::abs(int64_t(X) - int64_t(Y))) + Z,
                             uint32_t((Signed(X) + Signed(Y)) >> 1),
                             uint32_t((uint64_t(X) + Y + 1) >> 1),
                             uint32_t(Funnel.shl(Z % 32).lshr(32).getZExtValue()),
                             uint32_t(Funnel.lshr(Z % 32).getZExtValue()),
                             uint32_t(Funnel.shl(std::min(Z % 40, 32u)).lshr(32).getZExtValue()),
                             uint32_t(Dot),
                             UDot,
                             uint32_t(DotLo),
                             UDotHi,
                             uint32_t(Funnel.lshr(std::min(Z % 40, 32u)).getZExtValue()),
                             uint32_t(Dot),
                             uint32_t(Wide.lshr(96).getZExtValue()),
                             Found};
    for (unsigned K = 0; K != 24; ++K)
      ASSERT_EQ(Words[24 * I + K], Want[K])
          << "operation " << K << " of " << X << ", " << Y << ", " << Z;

    // Parts, each alone, in wide integers.
    auto Each = [&](unsigned Bits, auto Op) {
      uint32_t R = 0;
      for (unsigned K = 0; K != 32 / Bits; ++K) {
        APInt U = APInt(32, X).extractBits(Bits, Bits * K),
              V = APInt(32, Y).extractBits(Bits, Bits * K);
        R |= uint32_t(Op(U, V).getZExtValue()) << (Bits * K);
      }
      return R;
    };
    auto Sum = [&](unsigned Bits, auto Op) {
      uint32_t R = 0;
      for (unsigned K = 0; K != 32 / Bits; ++K)
        R += uint32_t(
            Op(APInt(32, X).extractBits(Bits, Bits * K), APInt(32, Y).extractBits(Bits, Bits * K))
                .getZExtValue());
      return R;
    };
    auto All = [](bool P, unsigned Bits) { return P ? APInt::getAllOnes(Bits) : APInt(Bits, 0); };
    const uint32_t PartWant[] = {
        Each(8, [](APInt U, APInt V) { return U + V; }),
        Each(8, [](APInt U, APInt V) { return U.sadd_sat(V); }),
        Each(8, [](APInt U, APInt V) { return U.uadd_sat(V); }),
        Each(8, [](APInt U, APInt V) { return U - V; }),
        Each(8, [](APInt U, APInt V) { return U.ssub_sat(V); }),
        Each(8, [](APInt U, APInt V) { return U.usub_sat(V); }),
        Each(8, [](APInt U, APInt V) { return U.sgt(V) ? U : V; }),
        Each(8, [](APInt U, APInt V) { return U.ult(V) ? U : V; }),
        Each(8, [](APInt U, APInt V) { return U.slt(V) ? V - U : U - V; }),
        Sum(8, [](APInt U, APInt V) { return U.ult(V) ? V - U : U - V; }),
        Each(8, [&](APInt U, APInt V) { return All(U.sgt(V), 8); }),
        Each(8, [](APInt U, APInt V) { return APInt(8, U.ule(V)); }),
        Each(8, [](APInt U, APInt) { return U.abs(); }),
        Each(8, [](APInt U, APInt) { return U.isMinSignedValue() ? ~U : U.abs(); }),
        Each(8, [](APInt U, APInt) { return -U; }),
        Each(8, [](APInt U, APInt) { return APInt(8, 0).ssub_sat(U); }),
        Each(8, [](APInt U, APInt V) { return (U.zext(16) + V.zext(16) + 1).lshr(1).trunc(8); }),
        Each(8, [](APInt U, APInt V) { return (U.zext(16) + V.zext(16)).lshr(1).trunc(8); }),
        Each(16, [](APInt U, APInt V) { return U + V; }),
        Each(16, [](APInt U, APInt V) { return U.ssub_sat(V); }),
        Each(16, [&](APInt U, APInt V) { return All(U == V, 16); }),
        Sum(16, [](APInt U, APInt V) { return U.slt(V) ? V - U : U - V; }),
        Each(16, [](APInt U, APInt V) { return U.sadd_sat(V); }),
        Each(16, [](APInt U, APInt V) { return U.ugt(V) ? U : V; })};
    for (unsigned K = 0; K != 24; ++K)
      ASSERT_EQ(Parts[24 * I + K], PartWant[K]) << "operation " << K << " of " << X << ", " << Y;
  }
}

TEST(Mathematics, IsTheHosts) {
  Emulated E(R"(
    __global__ void compute(float *in, float *f, double *d, int *n) {
      int i = threadIdx.x;
      float x = in[i];
      f[0 * 8 + i] = sinf(x); f[1 * 8 + i] = __expf(x); f[2 * 8 + i] = powf(x, 1.5f); f[3 * 8 + i] = rsqrtf(x);
      f[4 * 8 + i] = fmaxf(x, 2.0f); f[5 * 8 + i] = erff(x); f[6 * 8 + i] = sinpif(x); f[7 * 8 + i] = norm3df(x, x, x);
      d[0 * 8 + i] = tanh((double)x); d[1 * 8 + i] = cospi((double)x); d[2 * 8 + i] = lgamma((double)x); d[3 * 8 + i] = normcdf((double)x);
      int e; d[4 * 8 + i] = frexp((double)x, &e) + e; double w; d[5 * 8 + i] = modf((double)x, &w) + 100 * w;
      n[i] = isnan(x) | isinf(x) << 1 | signbit(x) << 2 | (fpclassify(x) == 4) << 3;
    })");
  std::vector<float> In = {0.25f, 1.0f, 1.5f, 2.0f, 3.75f, 0.5f, HUGE_VALF, NAN}, F(64);
  std::vector<double> D(48);
  std::vector<int> Class(8);
  E.pass("compute", 8, In, F, D, Class);
  const double Pi = 3.14159265358979323846;
  for (unsigned I = 0; I != 6; ++I) {
    float X = In[I];
    double W = X;
    const float Want[] = {
        std::sin(X),        std::exp(X), std::pow(X, 1.5f),       float(1 / std::sqrt(W)),
        std::fmax(X, 2.0f), std::erf(X), float(std::sin(Pi * W)), float(std::sqrt(3.0) * W)};
    for (unsigned K = 0; K != 8; ++K)
      EXPECT_NEAR(F[8 * K + I], Want[K], 3e-7 * std::fabs(Want[K]) + 1e-9) << K << " of " << X;
    int Exponent;
    double Whole;
    const double Wide[] = {std::tanh(W),
                           std::cos(Pi * W),
                           std::lgamma(W),
                           0.5 * std::erfc(-W / std::sqrt(2.0)),
                           std::frexp(W, &Exponent) + Exponent,
                           std::modf(W, &Whole) + 100 * Whole};
    for (unsigned K = 0; K != 6; ++K)
      EXPECT_NEAR(D[8 * K + I], Wide[K], 1e-14 * (1 + std::fabs(Wide[K]))) << K << " of " << X;
    EXPECT_EQ(Class[I], 8);
  }
  EXPECT_EQ(F[6 * 8 + 1], 0.0f); // sinpi of an integer
  EXPECT_EQ(Class[6], 2);
  EXPECT_EQ(Class[7], 1);
}

TEST(Atomics, EveryKind) {
  Emulated E(R"(
    #include <cuda_fp16.h>
    __global__ void all(int *i, unsigned *u, float *f, double *d, half *h, unsigned short *s, unsigned long long *n) {
      int t = threadIdx.x;
      atomicAdd(i, t); atomicSub(i + 1, t); atomicMin(i + 2, -t); atomicMax(i + 3, t); atomicOr(i + 4, 1 << t % 32);
      atomicXor(i + 5, t); atomicAnd(i + 6, ~(1 << t % 31)); atomicExch(i + 7, 7); atomicCAS(i + 8, 0, 1);
      atomicInc(u, 9); atomicDec(u + 1, 9); atomicMax(u + 2, 0x80000000u + t);
      atomicAdd(f, 0.5f); atomicExch(f + 1, 3.0f); atomicAdd_block(d, 0.25);
      atomicAdd(h, half(1)); atomicAdd((half2 *)(h + 2), half2(half(1), half(2)));
      atomicCAS(s, (unsigned short)t, (unsigned short)(t + 1));
      atomicAdd(n, 1ull << 40); atomicMin((long long *)n + 1, (long long)-t);
    }
    __global__ void crooked(half *h) { atomicAdd((half2 *)(h + 1), half2(half(1), half(2))); })");
  std::vector<int> I(9, 0);
  I[6] = -1;
  std::vector<unsigned> U(3, 0);
  std::vector<float> F(2, 0);
  std::vector<double> D(1, 0);
  std::vector<uint16_t> H(4, 0), S(2, 0);
  std::vector<uint64_t> N(2, 0);
  E.pass("all", 64, I, U, F, D, H, S, N);
  EXPECT_EQ(I, (std::vector<int>{2016, -2016, -63, 63, -1, 0, int(0x80000000), 7, 1}));
  EXPECT_EQ(U,
            (std::vector<unsigned>{64 % 10, 6, 0x8000003f})); // 0 -> 9 -> ... -> 0: 64 steps down
  EXPECT_EQ(F, (std::vector<float>{32, 3}));
  EXPECT_EQ(D[0], 16);
  EXPECT_EQ(H, (std::vector<uint16_t>{0x5400, 0, 0x5400, 0x5800})); // 64, -, 64, 128
  EXPECT_EQ(S[0], 64);                                              // threads take turns in order
  EXPECT_EQ(N[0], uint64_t(64) << 40);
  EXPECT_EQ(int64_t(N[1]), -63);
  E.run("crooked", 1, H);
  EXPECT_NE(E.Fault.find("not aligned to 4 bytes"), std::string::npos) << E.Fault;
}

TEST(Ends, AssertionsAndWhatIsUnknown) {
  Emulated E("#include <assert.h>\n#include <curand_kernel.h>\n"
             "__global__ void asserts(int *p) { assert(p[0] == 1); }\n"
             "__global__ void prints(int *p) { printf(\"%d\\n\", p[0]); p[0] = 5; }\n"
             "__global__ void traps(int *p) { if (p[0] == 7) __trap(); }\n"
             "__global__ void random(int *p) { curandState s; curand_init(0, 0, 0, &s); }\n"
             "__global__ void allocates(int **p) { *p = (int *)malloc(4); }\n"
             "__global__ void outside(int *p) {\n"
             "  p[0] = __ldg(p + 1);\n"
             "}\n");
  std::vector<int> P = {7};
  E.run("asserts", 1, P);
  EXPECT_EQ(E.Fault, "the kernel's assertion 'p[0] == 1' fails");
  EXPECT_EQ(E.Place.substr(0, 13), "kernels.cu:3:");
  E.run("traps", 1, P);
  EXPECT_EQ(E.Fault, "the kernel executes __trap()");
  E.run("random", 1, P);
  EXPECT_NE(E.Fault.find("curand_init"), std::string::npos) << E.Fault;
  std::vector<uint64_t> Q = {0};
  E.run("allocates", 1, Q);
  EXPECT_NE(E.Fault.find("malloc"), std::string::npos) << E.Fault;
  // The body has no lines: the caller's is reported.
  E.run("outside", 1, P);
  EXPECT_NE(E.Fault.find("outside of the array"), std::string::npos) << E.Fault;
  EXPECT_EQ(E.Place.substr(0, 13), "kernels.cu:9:") << E.Place;
  E.pass("prints", 1, P);
  EXPECT_EQ(P[0], 5);
}

} // namespace
