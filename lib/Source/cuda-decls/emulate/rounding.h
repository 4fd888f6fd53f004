//===- emulate/rounding.h - Arithmetic and conversions in all four roundings
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A result is kept as a pair: the nearest double, and the sign of what it lacks. From the pair
/// every rounding follows by at most one step to a neighbour. The pair is exact: sums by Knuth's
/// two-sum, products, quotients and roots of floats in double with the remainder from a fused
/// multiply-add.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// Rest has the sign of the exact value minus Near.
struct __cpr_pair {
  double Near, Rest;
};

__cpr_both_body __cpr_pair __cpr_two_sum(double a, double b) {
  double s = a + b;
  double bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
__cpr_both_body __cpr_pair __cpr_exactly(long long v) {
  // Both parts are exact as doubles.
  return __cpr_two_sum((double)(v >> 32) * 4294967296.0, (double)(unsigned)v);
}
__cpr_both_body __cpr_pair __cpr_exactly(unsigned long long v) {
  return __cpr_two_sum((double)(unsigned)(v >> 32) * 4294967296.0, (double)(unsigned)v);
}
__cpr_both_body __cpr_pair __cpr_exactly(double v) { return {v, 0}; }

// The neighbours; of zero, of either sign, the smallest numbers.
__cpr_both_body double __cpr_up(double x) {
  if (x == 0)
    return __builtin_bit_cast(double, 1ll);
  long long b = __builtin_bit_cast(long long, x);
  return __builtin_bit_cast(double, x > 0 ? b + 1 : b - 1);
}
__cpr_both_body float __cpr_up(float x) {
  if (x == 0)
    return __builtin_bit_cast(float, 1);
  int b = __builtin_bit_cast(int, x);
  return __builtin_bit_cast(float, x > 0 ? b + 1 : b - 1);
}

// Rounding modes: 0 nearest even, 1 to zero, 2 up, 3 down.
__cpr_both_body double __cpr_to_double(__cpr_pair p, int Mode) {
  double r = p.Near;
  bool Finite = __builtin_isfinite(r);
  bool Below = p.Rest < 0; // the exact value is below r
  bool Above = p.Rest > 0;
  if (!Finite || Mode == 0)
    return r;
  if ((Mode == 2 || (Mode == 1 && r < 0)) && Above)
    return __cpr_up(r);
  if ((Mode == 3 || (Mode == 1 && r > 0)) && Below)
    return -__cpr_up(-r);
  return r;
}

// The pair as one double whose last bit is set when something is missing: rounding that once more,
// to a type with two bits less or fewer, is as good as rounding the exact value.
__cpr_both_body double __cpr_odd_double(__cpr_pair p) {
  if (p.Rest == 0 || !__builtin_isfinite(p.Near))
    return p.Near;
  long long b = __builtin_bit_cast(long long, p.Near);
  if (p.Near != 0 && (p.Rest < 0) != (p.Near < 0))
    b -= 1;
  return __builtin_bit_cast(double, b | 1);
}
__cpr_both_body float __cpr_to_float(__cpr_pair p, int Mode) {
  double d = __cpr_odd_double(p);
  float r = (float)d;
  if (Mode == 0 || __builtin_isnan(r) || !__builtin_isfinite(d) || r == d)
    return r;
  bool Below = d < r;
  bool Negative = __builtin_signbit(d);
  if (Below && (Mode == 3 || (Mode == 1 && !Negative)))
    return -__cpr_up(-r);
  if (!Below && (Mode == 2 || (Mode == 1 && Negative)))
    return __cpr_up(r);
  return r;
}
__cpr_both_body float __cpr_odd_float(__cpr_pair p) {
  double d = __cpr_odd_double(p);
  float r = (float)d;
  if (__builtin_isnan(r) || !__builtin_isfinite(d) || r == d)
    return r;
  int b = __builtin_bit_cast(int, r);
  if (__builtin_fabs((double)r) > __builtin_fabs(d))
    b -= 1;
  return __builtin_bit_cast(float, b | 1);
}

// An exact sum of zero is -0 when rounding down, except of two positive zeros.
__cpr_both_body __cpr_pair __cpr_sum(double a, double b, int Mode) {
  __cpr_pair p = __cpr_two_sum(a, b);
  if (Mode == 3 && p.Near == 0 && (__builtin_signbit(a) || __builtin_signbit(b)))
    p.Near = -0.0;
  if (!__builtin_isfinite(p.Near)) {
    // Overflow of doubles; what lies beyond is the largest number for the roundings that do not
    // reach infinity.
    bool Finite = __builtin_isfinite(a) && __builtin_isfinite(b);
    bool Negative = __builtin_signbit(p.Near);
    if (Finite && (Mode == 1 || Mode == (Negative ? 2 : 3)))
      p.Near = Negative ? -__DBL_MAX__ : __DBL_MAX__;
    p.Rest = 0;
  }
  return p;
}
// Of two floats: exact in double.
__cpr_both_body __cpr_pair __cpr_quotient(float a, float b) {
  double q = (double)a / (double)b;
  if (!__builtin_isfinite(q) || __builtin_isinf(b) || q == 0)
    return {q, 0};
  double r = __builtin_fma(-q, (double)b, (double)a);
  return {q, b < 0 ? -r : r};
}
__cpr_both_body __cpr_pair __cpr_root(float a) {
  double s = __builtin_sqrt((double)a);
  if (!(s > 0) || __builtin_isinf(s))
    return {s, 0};
  return {s, __builtin_fma(-s, s, (double)a)};
}
// Doubles: exact while the remainder is a normal number, else this is not known here.
__cpr_body bool __cpr_ordinary(double x) {
  double m = __builtin_fabs(x);
  return m > 0x1p-450 && m < 0x1p450;
}
__cpr_body double __cpr_mul_double(double a, double b, int Mode) {
  double p = a * b;
  if (Mode == 0)
    return p;
  if (p == 0 && (a == 0 || b == 0))
    return p;
  if (__builtin_isnan(p) || __builtin_isinf(a) || __builtin_isinf(b))
    return p;
  if (!__cpr_ordinary(a) || !__cpr_ordinary(b))
    __cpr_emu_unsupported("the product of extreme doubles, rounded in a direction");
  return __cpr_to_double({p, __builtin_fma(a, b, -p)}, Mode);
}
__cpr_body double __cpr_div_double(double a, double b, int Mode) {
  double q = a / b;
  if (Mode == 0)
    return q;
  if (a == 0 || __builtin_isnan(q) || __builtin_isinf(a) || __builtin_isinf(b) || b == 0)
    return q;
  if (!__cpr_ordinary(a) || !__cpr_ordinary(b))
    __cpr_emu_unsupported("the quotient of extreme doubles, rounded in a direction");
  double r = __builtin_fma(-q, b, a);
  return __cpr_to_double({q, b < 0 ? -r : r}, Mode);
}
__cpr_body double __cpr_sqrt_double(double a, int Mode) {
  double s = __builtin_sqrt(a);
  if (Mode == 0 || !(s > 0) || __builtin_isinf(s))
    return s;
  if (!__cpr_ordinary(a))
    __cpr_emu_unsupported("the root of an extreme double, rounded in a direction");
  return __cpr_to_double({s, __builtin_fma(-s, s, a)}, Mode);
}

// To integers: rounded, then the nearest that the type has. NaN is zero, or the top bit where the
// source or the result has 64 bits.
template <class I, class F> __cpr_both_body I __cpr_to_integer(F x, int Mode) {
  constexpr bool Signed = (I)-1 < (I)0;
  constexpr int Bits = sizeof(I) * 8;
  constexpr I Top = (I)((unsigned long long)1 << (Bits - 1));
  constexpr I Least = Signed ? Top : (I)0;
  constexpr I Most = Signed ? (I)~Top : (I)~(I)0;
  if (__builtin_isnan(x))
    return sizeof(F) == 8 || Bits == 64 ? Top : (I)0;
  double d = x;
  double Limit = Signed ? (double)((unsigned long long)1 << (Bits - 1))
                        : 2.0 * (double)((unsigned long long)1 << (Bits - 1));
  double r = d; // above 2^52 there is nothing to round
  if (__builtin_fabs(d) < 4503599627370496.0) {
    double t = (double)(long long)d;
    double f = d - t;
    if (Mode == 2)
      t += f > 0 ? 1 : 0;
    else if (Mode == 3)
      t -= f < 0 ? 1 : 0;
    else if (Mode == 0) {
      double m = __builtin_fabs(f);
      bool Odd = ((long long)t & 1) != 0;
      if (m > 0.5 || (m == 0.5 && Odd))
        t += d < 0 ? -1 : 1;
    }
    r = t;
  }
  if (r >= Limit)
    return Most;
  if (r < (double)Least)
    return Least;
  if (!Signed && r >= 9223372036854775808.0)
    return (I)((unsigned long long)(long long)(r - 9223372036854775808.0) +
               9223372036854775808ull);
  return (I)(long long)r;
}

__cpr_body float __cpr_fadd(float a, float b, int Mode) {
  return Mode == 0 ? a + b : __cpr_to_float(__cpr_sum(a, b, Mode), Mode);
}
__cpr_body float __cpr_fmul(float a, float b, int Mode) {
  return Mode == 0 ? a * b : __cpr_to_float({(double)a * (double)b, 0}, Mode);
}
__cpr_body float __cpr_fdiv(float a, float b, int Mode) {
  return Mode == 0 ? a / b : __cpr_to_float(__cpr_quotient(a, b), Mode);
}
__cpr_body float __cpr_fsqrt(float a, int Mode) {
  return Mode == 0 ? __builtin_sqrtf(a) : __cpr_to_float(__cpr_root(a), Mode);
}
__cpr_body float __cpr_fma(float a, float b, float c, int Mode) {
  return Mode == 0 ? __builtin_fmaf(a, b, c)
                   : __cpr_to_float(__cpr_sum((double)a * (double)b, c, Mode), Mode);
}
__cpr_body double __cpr_dadd(double a, double b, int Mode) {
  return Mode == 0 ? a + b : __cpr_to_double(__cpr_sum(a, b, Mode), Mode);
}
__cpr_body float __cpr_narrow(double x, int Mode) { return __cpr_to_float({x, 0}, Mode); }
template <class I> __cpr_body float __cpr_integer_to_float(I x, int Mode) {
  return __cpr_to_float(__cpr_exactly(x), Mode);
}
template <class I> __cpr_body double __cpr_integer_to_double(I x, int Mode) {
  return __cpr_to_double(__cpr_exactly(x), Mode);
}

// Each family is one function of the mode, the last argument, and four that pass it.
#define __cpr_modes(R, f, Parameters, g, ...)                                                      \
  __cpr_body R f##_rn Parameters { return g(__VA_ARGS__, 0); }                                     \
  __cpr_body R f##_rz Parameters { return g(__VA_ARGS__, 1); }                                     \
  __cpr_body R f##_ru Parameters { return g(__VA_ARGS__, 2); }                                     \
  __cpr_body R f##_rd Parameters { return g(__VA_ARGS__, 3); }
__cpr_modes(float, __fadd, (float a, float b), __cpr_fadd, a, b)
__cpr_modes(float, __fsub, (float a, float b), __cpr_fadd, a, -b)
__cpr_modes(float, __fmul, (float a, float b), __cpr_fmul, a, b)
__cpr_modes(float, __fdiv, (float a, float b), __cpr_fdiv, a, b)
__cpr_modes(float, __frcp, (float a), __cpr_fdiv, 1.0f, a)
__cpr_modes(float, __fsqrt, (float a), __cpr_fsqrt, a)
__cpr_modes(float, __fmaf, (float a, float b, float c), __cpr_fma, a, b, c)
__cpr_modes(float, __fmaf_ieee, (float a, float b, float c), __cpr_fma, a, b, c)
__cpr_modes(double, __dadd, (double a, double b), __cpr_dadd, a, b)
__cpr_modes(double, __dsub, (double a, double b), __cpr_dadd, a, -b)
__cpr_modes(double, __dmul, (double a, double b), __cpr_mul_double, a, b)
__cpr_modes(double, __ddiv, (double a, double b), __cpr_div_double, a, b)
__cpr_modes(double, __drcp, (double a), __cpr_div_double, 1.0, a)
__cpr_modes(double, __dsqrt, (double a), __cpr_sqrt_double, a)
__cpr_body double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
__cpr_body double __fma_rz(double, double, double) __cpr_unsupported("__fma_rz")
__cpr_body double __fma_ru(double, double, double) __cpr_unsupported("__fma_ru")
__cpr_body double __fma_rd(double, double, double) __cpr_unsupported("__fma_rd")
__cpr_modes(int, __float2int, (float x), __cpr_to_integer<int>, x)
__cpr_modes(unsigned int, __float2uint, (float x), __cpr_to_integer<unsigned int>, x)
__cpr_modes(long long, __float2ll, (float x), __cpr_to_integer<long long>, x)
__cpr_modes(unsigned long long, __float2ull, (float x), __cpr_to_integer<unsigned long long>, x)
__cpr_modes(int, __double2int, (double x), __cpr_to_integer<int>, x)
__cpr_modes(unsigned int, __double2uint, (double x), __cpr_to_integer<unsigned int>, x)
__cpr_modes(long long, __double2ll, (double x), __cpr_to_integer<long long>, x)
__cpr_modes(unsigned long long, __double2ull, (double x), __cpr_to_integer<unsigned long long>, x)
__cpr_modes(float, __double2float, (double x), __cpr_narrow, x)
__cpr_modes(float, __int2float, (int x), __cpr_narrow, x)
__cpr_modes(float, __uint2float, (unsigned int x), __cpr_narrow, x)
__cpr_modes(float, __ll2float, (long long x), __cpr_integer_to_float, x)
__cpr_modes(double, __ll2double, (long long x), __cpr_integer_to_double, x)
__cpr_modes(float, __ull2float, (unsigned long long x), __cpr_integer_to_float, x)
__cpr_modes(double, __ull2double, (unsigned long long x), __cpr_integer_to_double, x)
#undef __cpr_modes
__cpr_body double __int2double_rn(int x) { return x; }
__cpr_body double __uint2double_rn(unsigned int x) { return x; }
