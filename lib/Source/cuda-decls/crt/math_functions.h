//===- crt/math_functions.h - Mathematics in device code
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// All but min and max are __device__ only: so they overload the C library and constexpr std::
/// functions. The names without suffix are overloaded for float, as in <cmath>; integer arguments
/// are converted to double, by templates that stand back for exact matches.
///
//===----------------------------------------------------------------------===//
#pragma once

#define __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_HPP__

#include "../host_defines.h"

// What <math.h> defines, in the words of the C library: its own definitions follow if the file includes it.
#ifndef INFINITY
#define HUGE_VAL (__builtin_huge_val ())
#define HUGE_VALF (__builtin_huge_valf ())
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

// Not std::enable_if: no standard header is read before it is asked for.
template <bool, class T> struct __cpr_enable {};
template <class T> struct __cpr_enable<true, T> {
  typedef T type;
};
template <class T> struct __cpr_rank { // 1: integer, 2: floating point
  static const int value = 0;
};
#define __cpr_is(T, R)                                                                             \
  template <> struct __cpr_rank<T> {                                                               \
    static const int value = R;                                                                    \
  };
__cpr_is(bool, 1)
__cpr_is(char, 1)
__cpr_is(signed char, 1)
__cpr_is(unsigned char, 1)
__cpr_is(short, 1)
__cpr_is(unsigned short, 1)
__cpr_is(int, 1)
__cpr_is(unsigned int, 1)
__cpr_is(long, 1)
__cpr_is(unsigned long, 1)
__cpr_is(long long, 1)
__cpr_is(unsigned long long, 1)
__cpr_is(float, 2)
__cpr_is(double, 2)
#undef __cpr_is
#define __cpr_integral(T, R) typename __cpr_enable<__cpr_rank<T>::value == 1, R>::type
#define __cpr_arithmetic(T, U, R)                                                                  \
  typename __cpr_enable<(__cpr_rank<T>::value > 0 && __cpr_rank<U>::value > 0), R>::type

#ifdef __CPR_EMULATE__
#include "../emulate/math_overloads.h"
#else
// R f(double), with its float forms.
#define __cpr_math1(R, RF, F)                                                                      \
  __device__ R F(double);                                                                          \
  __device__ RF F##f(float);                                                                       \
  __device__ RF F(float);                                                                          \
  template <class T> __device__ __cpr_integral(T, R) F(T);
#define __cpr_math2(F)                                                                             \
  __device__ double F(double, double);                                                             \
  __device__ float F##f(float, float);                                                             \
  __device__ float F(float, float);                                                                \
  template <class T, class U> __device__ __cpr_arithmetic(T, U, double) F(T, U);
#endif

__cpr_math1(double, float, acos)
__cpr_math1(double, float, acosh)
__cpr_math1(double, float, asin)
__cpr_math1(double, float, asinh)
__cpr_math1(double, float, atan)
__cpr_math1(double, float, atanh)
__cpr_math1(double, float, cbrt)
__cpr_math1(double, float, ceil)
__cpr_math1(double, float, cos)
__cpr_math1(double, float, cosh)
__cpr_math1(double, float, erf)
__cpr_math1(double, float, erfc)
__cpr_math1(double, float, exp)
__cpr_math1(double, float, exp2)
__cpr_math1(double, float, expm1)
__cpr_math1(double, float, fabs)
__cpr_math1(double, float, floor)
__cpr_math1(double, float, lgamma)
__cpr_math1(double, float, log)
__cpr_math1(double, float, log10)
__cpr_math1(double, float, log1p)
__cpr_math1(double, float, log2)
__cpr_math1(double, float, logb)
__cpr_math1(double, float, nearbyint)
__cpr_math1(double, float, rint)
__cpr_math1(double, float, round)
__cpr_math1(double, float, sin)
__cpr_math1(double, float, sinh)
__cpr_math1(double, float, sqrt)
__cpr_math1(double, float, tan)
__cpr_math1(double, float, tanh)
__cpr_math1(double, float, tgamma)
__cpr_math1(double, float, trunc)
__cpr_math1(int, int, ilogb)
__cpr_math1(long, long, lrint)
__cpr_math1(long, long, lround)
__cpr_math1(long long, long long, llrint)
__cpr_math1(long long, long long, llround)
__cpr_math2(atan2)
__cpr_math2(copysign)
__cpr_math2(fdim)
__cpr_math2(fmax)
__cpr_math2(fmin)
__cpr_math2(fmod)
__cpr_math2(hypot)
__cpr_math2(nextafter)
__cpr_math2(pow)
__cpr_math2(remainder)

// CUDA's own.
#define __cpr_cuda1(F)                                                                             \
  __device__ double F(double);                                                                     \
  __device__ float F##f(float);                                                                    \
  __device__ float F(float);
__cpr_cuda1(cospi)
__cpr_cuda1(erfcinv)
__cpr_cuda1(erfcx)
__cpr_cuda1(erfinv)
__cpr_cuda1(exp10)
__cpr_cuda1(normcdf)
__cpr_cuda1(normcdfinv)
__cpr_cuda1(rcbrt)
__cpr_cuda1(rsqrt)
__cpr_cuda1(sinpi)
__cpr_cuda1(cyl_bessel_i0)
__cpr_cuda1(cyl_bessel_i1)
__cpr_cuda1(j0)
__cpr_cuda1(j1)
__cpr_cuda1(y0)
__cpr_cuda1(y1)
#undef __cpr_cuda1
__device__ double jn(int, double);
__device__ float jnf(int, float);
__device__ double yn(int, double);
__device__ float ynf(int, float);
__device__ double rhypot(double, double);
__device__ float rhypotf(float, float);
__device__ double norm3d(double, double, double);
__device__ float norm3df(float, float, float);
__device__ double rnorm3d(double, double, double);
__device__ float rnorm3df(float, float, float);
__device__ double norm4d(double, double, double, double);
__device__ float norm4df(float, float, float, float);
__device__ double rnorm4d(double, double, double, double);
__device__ float rnorm4df(float, float, float, float);
__device__ double norm(int, const double *);
__device__ float normf(int, const float *);
__device__ double rnorm(int, const double *);
__device__ float rnormf(int, const float *);
__device__ double fdivide(double, double);
__device__ float fdividef(float, float);

__device__ double fma(double, double, double);
__device__ float fmaf(float, float, float);
__device__ float fma(float, float, float);
__device__ double frexp(double, int *);
__device__ float frexpf(float, int *);
__device__ float frexp(float, int *);
__device__ double ldexp(double, int);
__device__ float ldexpf(float, int);
__device__ float ldexp(float, int);
__device__ double scalbn(double, int);
__device__ float scalbnf(float, int);
__device__ float scalbn(float, int);
__device__ double scalbln(double, long);
__device__ float scalblnf(float, long);
__device__ float scalbln(float, long);
__device__ double modf(double, double *);
__device__ float modff(float, float *);
__device__ float modf(float, float *);
__device__ double remquo(double, double, int *);
__device__ float remquof(float, float, int *);
__device__ float remquo(float, float, int *);
__device__ double nan(const char *);
__device__ float nanf(const char *);
__device__ void sincos(double, double *, double *);
__device__ void sincosf(float, float *, float *);
__device__ void sincos(float, float *, float *);
__device__ void sincospi(double, double *, double *);
__device__ void sincospif(float, float *, float *);
__device__ void sincospi(float, float *, float *);
__device__ double pow(double, int);
__device__ float pow(float, int);
__device__ double powi(double, int);
__device__ float powif(float, int);

__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
__device__ float abs(float);
__device__ double abs(double);
__device__ long labs(long);
__device__ long long llabs(long long);

#define __cpr_classify(F)                                                                          \
  __device__ bool F(float);                                                                        \
  __device__ bool F(double);                                                                       \
  template <class T> __device__ __cpr_integral(T, bool) F(T);
__cpr_classify(isfinite)
__cpr_classify(isinf)
__cpr_classify(isnan)
__cpr_classify(isnormal)
__cpr_classify(signbit)
#undef __cpr_classify
#define __cpr_compare(F)                                                                           \
  __device__ bool F(float, float);                                                                 \
  __device__ bool F(double, double);
__cpr_compare(isgreater)
__cpr_compare(isgreaterequal)
__cpr_compare(isless)
__cpr_compare(islessequal)
__cpr_compare(islessgreater)
__cpr_compare(isunordered)
#undef __cpr_compare
__device__ int fpclassify(float);
__device__ int fpclassify(double);
__device__ int __isnan(double);
__device__ int __isnanf(float);
__device__ int __isinf(double);
__device__ int __isinff(float);
__device__ int __finite(double);
__device__ int __finitef(float);
__device__ int __isfinited(double);
__device__ int __signbitd(double);
__device__ int __signbitf(float);

#define __cpr_minmax(R, A, B)                                                                      \
  __device__ R min(A, B);                                                                          \
  __device__ R max(A, B);                                                                          \
  __host__ R min(A, B);                                                                            \
  __host__ R max(A, B);
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
__cpr_minmax(float, float, float)
__cpr_minmax(double, double, double)
__cpr_minmax(double, float, double)
__cpr_minmax(double, double, float)
#undef __cpr_minmax
__device__ unsigned int umin(unsigned int, unsigned int);
__device__ unsigned int umax(unsigned int, unsigned int);
__device__ long long llmin(long long, long long);
__device__ long long llmax(long long, long long);
__device__ unsigned long long ullmin(unsigned long long, unsigned long long);
__device__ unsigned long long ullmax(unsigned long long, unsigned long long);

#undef __cpr_math1
#undef __cpr_math2

// On the host, nvcc has them from <math.h>, without being asked. Templates, which those of <cmath> are preferred to.
#define __cpr_on_host(R)                                                                           \
  template <class T>                                                                               \
  __host__ typename __cpr_enable<(__cpr_rank<T>::value == 2 || __is_same(T, long double)), R>::type
__cpr_on_host(bool) isfinite(T);
__cpr_on_host(bool) isinf(T);
__cpr_on_host(bool) isnan(T);
__cpr_on_host(bool) isnormal(T);
__cpr_on_host(bool) signbit(T);
__cpr_on_host(int) fpclassify(T);
__cpr_on_host(bool) isgreater(T, T);
__cpr_on_host(bool) isgreaterequal(T, T);
__cpr_on_host(bool) isless(T, T);
__cpr_on_host(bool) islessequal(T, T);
__cpr_on_host(bool) islessgreater(T, T);
__cpr_on_host(bool) isunordered(T, T);
// Those of CUDA's own that nvcc has on the host as well, and those of the system's <math.h>.
#define __cpr_own1(F) __cpr_on_host(T) F(T); __cpr_on_host(T) F##f(T);
__cpr_own1(cospi)
__cpr_own1(erfcinv)
__cpr_own1(erfcx)
__cpr_own1(erfinv)
__cpr_own1(exp10)
__cpr_own1(normcdf)
__cpr_own1(normcdfinv)
__cpr_own1(rcbrt)
__cpr_own1(rsqrt)
__cpr_own1(sinpi)
__cpr_own1(j0)
__cpr_own1(j1)
__cpr_own1(y0)
__cpr_own1(y1)
#undef __cpr_own1
__cpr_on_host(T) jn(int, T);
__cpr_on_host(T) jnf(int, T);
__cpr_on_host(T) yn(int, T);
__cpr_on_host(T) ynf(int, T);
__cpr_on_host(void) sincospi(T, T *, T *);
__cpr_on_host(void) sincospif(T, T *, T *);
#undef __cpr_on_host

// For files that say std::exp and do not include <cmath>, which nvcc includes for them.
namespace std {
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::nearbyint;
using ::pow;
using ::remainder;
using ::rint;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
} // namespace std

#ifdef __CPR_EMULATE__
#include "../emulate/math.h"
#endif
