//===- emulate/math.h - Bodies of the mathematical functions
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Those that are not simply the host's; these are in math_overloads.h.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "math_overloads.h"

extern "C" {
__cpr_plain(double, float, exp10)
__cpr_plain(double, float, j0)
__cpr_plain(double, float, j1)
__cpr_plain(double, float, y0)
__cpr_plain(double, float, y1)
__cpr_host double __cpr_host_jn(int, double) __asm__("jn");
__cpr_host float __cpr_host_jnf(int, float) __asm__("jnf");
__cpr_host double __cpr_host_yn(int, double) __asm__("yn");
__cpr_host float __cpr_host_ynf(int, float) __asm__("ynf");
__cpr_host double __cpr_host_ldexp(double, int) __asm__("ldexp");
__cpr_host float __cpr_host_ldexpf(float, int) __asm__("ldexpf");
__cpr_host double __cpr_host_scalbln(double, long) __asm__("scalbln");
__cpr_host float __cpr_host_scalblnf(float, long) __asm__("scalblnf");
// These write through a pointer, which is to a local of the body: the kernel's own memory is
// written by stores that are checked.
__device__ double __cpr_host_frexp(double, int *) __asm__("frexp");
__device__ double __cpr_host_modf(double, double *) __asm__("modf");
__device__ double __cpr_host_remquo(double, double, int *) __asm__("remquo");
__device__ float __cpr_host_remquof(float, float, int *) __asm__("remquof");
}

#undef __cpr_plain
#undef __cpr_host
#undef __cpr_host2

// CUDA's own, by way of double: for float the result is rounded once more, and for double it is as
// good as the formula.
#define __cpr_cuda1(F, Expression)                                                                 \
  __cpr_body double F(double x) { return Expression; }                                             \
  __cpr_body float F##f(float x) { return (float)F((double)x); }                                   \
  __cpr_body float F(float x) { return (float)F((double)x); }
#define __cpr_cuda1_none(F)                                                                        \
  __cpr_body double F(double) __cpr_unsupported(#F)                                                \
  __cpr_body float F##f(float) __cpr_unsupported(#F)                                               \
  __cpr_body float F(float) __cpr_unsupported(#F)
// The argument of sin and cos of pi x, reduced to [-1, 1] exactly.
__cpr_body double __cpr_turns(double x) { return x - 2 * __cpr_host_rint(x / 2); }
#define __cpr_pi 3.141592653589793238462643383279502884
__cpr_cuda1(cospi, __cpr_host_fabs(__cpr_turns(x)) == 0.5
                       ? 0.0
                       : __cpr_host_cos(__cpr_pi * __cpr_turns(x)))
__cpr_cuda1(sinpi, x == __cpr_host_trunc(x) ? __cpr_host_copysign(0.0, x)
                                            : __cpr_host_sin(__cpr_pi * __cpr_turns(x)))
__cpr_cuda1(exp10, __cpr_host_exp10(x))
__cpr_cuda1(rcbrt, 1 / __cpr_host_cbrt(x))
__cpr_cuda1(rsqrt, 1 / __cpr_host_sqrt(x))
__cpr_cuda1(normcdf, 0.5 * __cpr_host_erfc(-x * 0.70710678118654752440))
__cpr_cuda1(j0, __cpr_host_j0(x))
__cpr_cuda1(j1, __cpr_host_j1(x))
__cpr_cuda1(y0, __cpr_host_y0(x))
__cpr_cuda1(y1, __cpr_host_y1(x))
__cpr_cuda1_none(erfcinv)
__cpr_cuda1_none(erfcx)
__cpr_cuda1_none(erfinv)
__cpr_cuda1_none(normcdfinv)
__cpr_cuda1_none(cyl_bessel_i0)
__cpr_cuda1_none(cyl_bessel_i1)
#undef __cpr_cuda1
#undef __cpr_cuda1_none
__cpr_body double jn(int n, double x) { return __cpr_host_jn(n, x); }
__cpr_body float jnf(int n, float x) { return __cpr_host_jnf(n, x); }
__cpr_body double yn(int n, double x) { return __cpr_host_yn(n, x); }
__cpr_body float ynf(int n, float x) { return __cpr_host_ynf(n, x); }

// Scaled by the largest, so that no square overflows.
__cpr_body double __cpr_norm4(double a, double b, double c, double d) {
  return __cpr_host_hypot(__cpr_host_hypot(a, b), __cpr_host_hypot(c, d));
}
__cpr_body double rhypot(double x, double y) { return 1 / __cpr_host_hypot(x, y); }
__cpr_body float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }
__cpr_body double norm3d(double a, double b, double c) { return __cpr_norm4(a, b, c, 0); }
__cpr_body float norm3df(float a, float b, float c) { return (float)__cpr_norm4(a, b, c, 0); }
__cpr_body double rnorm3d(double a, double b, double c) { return 1 / __cpr_norm4(a, b, c, 0); }
__cpr_body float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
__cpr_body double norm4d(double a, double b, double c, double d) { return __cpr_norm4(a, b, c, d); }
__cpr_body float norm4df(float a, float b, float c, float d) {
  return (float)__cpr_norm4(a, b, c, d);
}
__cpr_body double rnorm4d(double a, double b, double c, double d) {
  return 1 / __cpr_norm4(a, b, c, d);
}
__cpr_body float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
__cpr_body double norm(int n, const double *p) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r = __cpr_host_hypot(r, p[i]);
  return r;
}
__cpr_body float normf(int n, const float *p) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r = __cpr_host_hypot(r, p[i]);
  return (float)r;
}
__cpr_body double rnorm(int n, const double *p) { return 1 / norm(n, p); }
__cpr_body float rnormf(int n, const float *p) { return 1 / normf(n, p); }
__cpr_body double fdivide(double x, double y) { return x / y; }
__cpr_body float fdividef(float x, float y) { return x / y; }

__cpr_body double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__cpr_body float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__cpr_body float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__cpr_body double frexp(double x, int *e) {
  int r = 0;
  double m = __cpr_host_frexp(x, &r);
  *e = r;
  return m;
}
__cpr_body float frexpf(float x, int *e) { return (float)frexp((double)x, e); }
__cpr_body float frexp(float x, int *e) { return (float)frexp((double)x, e); }
__cpr_body double ldexp(double x, int e) { return __cpr_host_ldexp(x, e); }
__cpr_body float ldexpf(float x, int e) { return __cpr_host_ldexpf(x, e); }
__cpr_body float ldexp(float x, int e) { return __cpr_host_ldexpf(x, e); }
__cpr_body double scalbn(double x, int e) { return __cpr_host_ldexp(x, e); }
__cpr_body float scalbnf(float x, int e) { return __cpr_host_ldexpf(x, e); }
__cpr_body float scalbn(float x, int e) { return __cpr_host_ldexpf(x, e); }
__cpr_body double scalbln(double x, long e) { return __cpr_host_scalbln(x, e); }
__cpr_body float scalblnf(float x, long e) { return __cpr_host_scalblnf(x, e); }
__cpr_body float scalbln(float x, long e) { return __cpr_host_scalblnf(x, e); }
__cpr_body double modf(double x, double *i) {
  double whole = 0;
  double r = __cpr_host_modf(x, &whole);
  *i = whole;
  return r;
}
__cpr_body float modff(float x, float *i) {
  double whole = 0;
  double r = __cpr_host_modf(x, &whole);
  *i = (float)whole;
  return (float)r;
}
__cpr_body float modf(float x, float *i) { return modff(x, i); }
__cpr_body double remquo(double x, double y, int *q) {
  int quotient = 0;
  double r = __cpr_host_remquo(x, y, &quotient);
  *q = quotient;
  return r;
}
__cpr_body float remquof(float x, float y, int *q) {
  int quotient = 0;
  float r = __cpr_host_remquof(x, y, &quotient);
  *q = quotient;
  return r;
}
__cpr_body float remquo(float x, float y, int *q) { return remquof(x, y, q); }
__cpr_body double nan(const char *) { return __builtin_nan(""); }
__cpr_body float nanf(const char *) { return __builtin_nanf(""); }
__cpr_body void sincos(double x, double *s, double *c) {
  *s = __cpr_host_sin(x);
  *c = __cpr_host_cos(x);
}
__cpr_body void sincosf(float x, float *s, float *c) {
  *s = __cpr_host_sinf(x);
  *c = __cpr_host_cosf(x);
}
__cpr_body void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__cpr_body void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__cpr_body void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}
__cpr_body void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
__cpr_body double pow(double x, int n) { return __cpr_host_pow(x, n); }
__cpr_body float pow(float x, int n) { return __cpr_host_powf(x, (float)n); }
__cpr_body double powi(double x, int n) { return __cpr_host_pow(x, n); }
__cpr_body float powif(float x, int n) { return __cpr_host_powf(x, (float)n); }

// The smallest integer is its own absolute value, without undefined behaviour.
__cpr_body int abs(int x) { return x < 0 ? (int)(0u - (unsigned)x) : x; }
__cpr_body long abs(long x) { return x < 0 ? (long)(0ul - (unsigned long)x) : x; }
__cpr_body long long abs(long long x) {
  return x < 0 ? (long long)(0ull - (unsigned long long)x) : x;
}
__cpr_body float abs(float x) { return __builtin_fabsf(x); }
__cpr_body double abs(double x) { return __builtin_fabs(x); }
__cpr_body long labs(long x) { return abs(x); }
__cpr_body long long llabs(long long x) { return abs(x); }

#define __cpr_classify(F, Integral)                                                                \
  __cpr_body bool F(float x) { return __builtin_##F(x); }                                          \
  __cpr_body bool F(double x) { return __builtin_##F(x); }                                         \
  template <class T> __cpr_body __cpr_integral(T, bool) F(T x) { return Integral; }
__cpr_classify(isfinite, true)
__cpr_classify(isinf, false)
__cpr_classify(isnan, false)
__cpr_classify(isnormal, x != 0)
__cpr_classify(signbit, x < 0)
#undef __cpr_classify
#define __cpr_compare(F)                                                                           \
  __cpr_body bool F(float x, float y) { return __builtin_##F(x, y); }                              \
  __cpr_body bool F(double x, double y) { return __builtin_##F(x, y); }
__cpr_compare(isgreater)
__cpr_compare(isgreaterequal)
__cpr_compare(isless)
__cpr_compare(islessequal)
__cpr_compare(islessgreater)
__cpr_compare(isunordered)
#undef __cpr_compare
// As in <math.h>: FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO.
__cpr_body int fpclassify(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
__cpr_body int fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
__cpr_body int __isnan(double x) { return __builtin_isnan(x); }
__cpr_body int __isnanf(float x) { return __builtin_isnan(x); }
__cpr_body int __isinf(double x) { return __builtin_isinf(x); }
__cpr_body int __isinff(float x) { return __builtin_isinf(x); }
__cpr_body int __finite(double x) { return __builtin_isfinite(x); }
__cpr_body int __finitef(float x) { return __builtin_isfinite(x); }
__cpr_body int __isfinited(double x) { return __builtin_isfinite(x); }
__cpr_body int __signbitd(double x) { return __builtin_signbit(x) != 0; }
__cpr_body int __signbitf(float x) { return __builtin_signbit(x) != 0; }

#define __cpr_minmax(R, A, B)                                                                      \
  __cpr_body R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                 \
  __cpr_body R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
__cpr_minmax(int, int, int)
__cpr_minmax(unsigned int, unsigned int, unsigned int)
__cpr_minmax(unsigned int, int, unsigned int)
__cpr_minmax(unsigned int, unsigned int, int)
__cpr_minmax(long, long, long)
__cpr_minmax(unsigned long, unsigned long, unsigned long)
__cpr_minmax(unsigned long, long, unsigned long)
__cpr_minmax(unsigned long, unsigned long, long)
__cpr_minmax(long long, long long, long long)
__cpr_minmax(unsigned long long, unsigned long long, unsigned long long)
__cpr_minmax(unsigned long long, long long, unsigned long long)
__cpr_minmax(unsigned long long, unsigned long long, long long)
#undef __cpr_minmax
// A number beats a NaN, and +0 is greater than -0, as in the GPU's instructions.
template <class T> __cpr_body T __cpr_fmin(T a, T b) {
  if (__builtin_isnan(a))
    return b;
  if (__builtin_isnan(b))
    return a;
  return a < b || (a == b && __builtin_signbit(a)) ? a : b;
}
template <class T> __cpr_body T __cpr_fmax(T a, T b) {
  if (__builtin_isnan(a))
    return b;
  if (__builtin_isnan(b))
    return a;
  return a > b || (a == b && !__builtin_signbit(a)) ? a : b;
}
__cpr_body float min(float a, float b) { return __cpr_fmin(a, b); }
__cpr_body float max(float a, float b) { return __cpr_fmax(a, b); }
__cpr_body double min(double a, double b) { return __cpr_fmin(a, b); }
__cpr_body double max(double a, double b) { return __cpr_fmax(a, b); }
__cpr_body double min(float a, double b) { return __cpr_fmin<double>(a, b); }
__cpr_body double max(float a, double b) { return __cpr_fmax<double>(a, b); }
__cpr_body double min(double a, float b) { return __cpr_fmin<double>(a, b); }
__cpr_body double max(double a, float b) { return __cpr_fmax<double>(a, b); }
__cpr_body unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__cpr_body unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
__cpr_body long long llmin(long long a, long long b) { return a < b ? a : b; }
__cpr_body long long llmax(long long a, long long b) { return a > b ? a : b; }
__cpr_body unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
__cpr_body unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
