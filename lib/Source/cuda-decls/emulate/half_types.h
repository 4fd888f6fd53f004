//===- emulate/half_types.h - What the bodies of half and bfloat16 have in common
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Arithmetic is in float and rounded once more: float has more than twice the digits of either type
/// and two to spare, so for + - * / and the square root that is the correctly rounded result. A fused
/// multiply-add is exact in a pair of doubles first (rounding.h).
///
/// The macros, one for each of crt/half_types.h, take the scalar T and the pair T2; the helpers that
/// they use find the format by __cpr_format_of<T>.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// What follows from Traits::nearest(float) -> bits and Traits::value(bits) -> float.
template <class Traits> struct __cpr_half_format {
  // Of a float that is the value, or stands for it by an odd last bit.
  static __cpr_both_body unsigned short rounded(float x, int Mode) {
    unsigned short r = Traits::nearest(x);
    if (Mode == 0 || __builtin_isnan(x) || __builtin_isinf(x))
      return r;
    float v = Traits::value(r);
    if (v == x)
      return r;
    bool Below = x < v; // the exact value is below
    bool Negative = __builtin_signbit(x);
    bool Down = Mode == 3 || (Mode == 1 && !Negative);
    bool Up = Mode == 2 || (Mode == 1 && Negative);
    if (Below && Down)
      return (r & 0x7fff) == 0 ? 0x8001 : (unsigned short)(r & 0x8000 ? r + 1 : r - 1);
    if (!Below && Up)
      return (r & 0x7fff) == 0 ? 0x0001 : (unsigned short)(r & 0x8000 ? r - 1 : r + 1);
    return r;
  }
  static __cpr_both_body unsigned short rounded(__cpr_pair p, int Mode) {
    return rounded(__cpr_odd_float(p), Mode);
  }
};

struct __cpr_fp16 : __cpr_half_format<__cpr_fp16> {
  static __cpr_both_body float value(unsigned short h) {
    unsigned Sign = (unsigned)(h & 0x8000) << 16, m = h & 0x7fff;
    if (m >= 0x7c00)
      return __builtin_bit_cast(float, Sign | 0x7f800000 | m << 13);
    // The exponent's bias by an exact product, which also normalises small numbers.
    float r = __builtin_bit_cast(float, m << 13) * 0x1p112f;
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, r) | Sign);
  }
  static __cpr_both_body unsigned short nearest(float x) {
    unsigned u = __builtin_bit_cast(unsigned, x);
    unsigned short Sign = (unsigned short)(u >> 16 & 0x8000);
    u &= 0x7fffffff;
    if (u > 0x7f800000)
      return 0x7fff;
    if (u >= 0x477ff000) // 65520: halfway beyond the largest
      return Sign | 0x7c00;
    if (u < 0x38800000) { // below 2^-14: the unit of [0.5, 1) is the smallest half
      float r = __builtin_bit_cast(float, u) + 0.5f;
      return (unsigned short)(Sign | (__builtin_bit_cast(unsigned, r) - 0x3f000000));
    }
    u += 0xfff + (u >> 13 & 1);
    return (unsigned short)(Sign | ((u - 0x38000000) >> 13));
  }
};

struct __cpr_bf16 : __cpr_half_format<__cpr_bf16> {
  static __cpr_both_body float value(unsigned short h) {
    return __builtin_bit_cast(float, (unsigned)h << 16);
  }
  static __cpr_both_body unsigned short nearest(float x) {
    unsigned u = __builtin_bit_cast(unsigned, x);
    if ((u & 0x7fffffff) > 0x7f800000)
      return 0x7fff;
    return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
  }
};

// Which format a type has; specialised in cuda_fp16.h and cuda_bf16.h.
template <class T> struct __cpr_format_of {};

template <class T> __cpr_both_body T __cpr_from_bits(unsigned short Bits) {
  return __builtin_bit_cast(T, Bits);
}
template <class T> __cpr_both_body unsigned short __cpr_to_bits(T x) {
  return __builtin_bit_cast(unsigned short, x);
}
template <class T> __cpr_both_body float __cpr_value(T x) {
  return __cpr_format_of<T>::type::value(__cpr_to_bits(x));
}
// F: float or a pair.
template <class T, class F> __cpr_both_body T __cpr_round(F x, int Mode = 0) {
  return __cpr_from_bits<T>(__cpr_format_of<T>::type::rounded(x, Mode));
}
template <class T> __cpr_both_body T __cpr_from_double(double x, int Mode = 0) {
  return __cpr_round<T>(__cpr_pair{x, 0}, Mode);
}
template <class T> __cpr_both_body T __cpr_from_integer(long long x, int Mode = 0) {
  return __cpr_round<T>(__cpr_exactly(x), Mode);
}
template <class T> __cpr_both_body T __cpr_from_unsigned(unsigned long long x, int Mode = 0) {
  return __cpr_round<T>(__cpr_exactly(x), Mode);
}
template <class T> __cpr_both_body T __cpr_half_fma(T a, T b, T c) {
  return __cpr_round<T>(__cpr_two_sum((double)__cpr_value(a) * __cpr_value(b), __cpr_value(c)));
}
template <class T> __cpr_both_body T __cpr_half_sat(T x) {
  float v = __cpr_value(x);
  return __cpr_round<T>(v > 0 ? (v < 1 ? v : 1.0f) : 0.0f);
}
template <class T> __cpr_both_body T __cpr_half_min(T a, T b, bool Max, bool Nan) {
  float x = __cpr_value(a), y = __cpr_value(b);
  bool NanA = __builtin_isnan(x), NanB = __builtin_isnan(y);
  if ((NanA && NanB) || (Nan && (NanA || NanB)))
    return __cpr_from_bits<T>(0x7fff);
  if (NanA || NanB)
    return NanA ? b : a;
  bool Less = x < y || (x == y && __builtin_signbit(x));
  return Less != Max ? a : b;
}

// Members.
#define __cpr_half_member_bodies(T, Raw)                                                           \
  __cpr_both_body T::T(float x) { __x = __cpr_format_of<T>::type::nearest(x); }                    \
  __cpr_both_body T::T(double x) : T(__cpr_from_double<T>(x)) {}                                   \
  __cpr_both_body T::T(short x) : T((float)x) {}                                                   \
  __cpr_both_body T::T(unsigned short x) : T((float)x) {}                                          \
  __cpr_both_body T::T(int x) : T(__cpr_from_integer<T>(x)) {}                                     \
  __cpr_both_body T::T(unsigned int x) : T(__cpr_from_integer<T>(x)) {}                            \
  __cpr_both_body T::T(long x) : T(__cpr_from_integer<T>(x)) {}                                    \
  __cpr_both_body T::T(unsigned long x) : T(__cpr_from_unsigned<T>(x)) {}                          \
  __cpr_both_body T::T(long long x) : T(__cpr_from_integer<T>(x)) {}                               \
  __cpr_both_body T::T(unsigned long long x) : T(__cpr_from_unsigned<T>(x)) {}                     \
  __cpr_both_body T &T::operator=(const Raw &r) {                                                  \
    __x = r.x;                                                                                     \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body volatile T &T::operator=(const Raw &r) volatile {                                \
    __x = r.x;                                                                                     \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_half_assignment(T, float) __cpr_half_assignment(T, double)                                 \
  __cpr_half_assignment(T, short) __cpr_half_assignment(T, unsigned short)                         \
  __cpr_half_assignment(T, int) __cpr_half_assignment(T, unsigned int)                             \
  __cpr_half_assignment(T, long long) __cpr_half_assignment(T, unsigned long long)                 \
  __cpr_both_body T::operator Raw() const {                                                        \
    Raw r;                                                                                         \
    r.x = __x;                                                                                     \
    return r;                                                                                      \
  }                                                                                                \
  __cpr_both_body T::operator Raw() const volatile {                                               \
    Raw r;                                                                                         \
    r.x = __x;                                                                                     \
    return r;                                                                                      \
  }                                                                                                \
  __cpr_both_body T::operator float() const { return __cpr_value(*this); }                         \
  __cpr_half_to_integer(T, signed char) __cpr_half_to_integer(T, unsigned char)                    \
  __cpr_half_to_integer(T, char) __cpr_half_to_integer(T, short)                                   \
  __cpr_half_to_integer(T, unsigned short) __cpr_half_to_integer(T, int)                           \
  __cpr_half_to_integer(T, unsigned int) __cpr_half_to_integer(T, long)                            \
  __cpr_half_to_integer(T, unsigned long) __cpr_half_to_integer(T, long long)                      \
  __cpr_half_to_integer(T, unsigned long long)
#define __cpr_half_assignment(T, F)                                                                \
  __cpr_both_body T &T::operator=(F x) {                                                           \
    __x = __cpr_to_bits(T(x));                                                                     \
    return *this;                                                                                  \
  }
#define __cpr_half_to_integer(T, I)                                                                \
  __cpr_both_body T::operator I() const { return __cpr_to_integer<I>(__cpr_value(*this), 1); }

// A pair moves as one word: its alignment matters.
template <class T2> __cpr_both_body unsigned int __cpr_pair_word(const T2 &v) {
  return *(const unsigned int *)&v;
}
#define __cpr_half2_member_bodies(T2, T, Raw2)                                                     \
  __cpr_both_body T2::T2(const T2 &&o) { *(unsigned int *)this = __cpr_pair_word(o); }             \
  __cpr_both_body T2::T2(const T2 &o) { *(unsigned int *)this = __cpr_pair_word(o); }              \
  __cpr_both_body T2::T2(const Raw2 &r) {                                                          \
    x = __cpr_from_bits<T>(r.x);                                                                   \
    y = __cpr_from_bits<T>(r.y);                                                                   \
  }                                                                                                \
  __cpr_both_body T2 &T2::operator=(const T2 &&o) {                                                \
    *(unsigned int *)this = __cpr_pair_word(o);                                                    \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T2 &T2::operator=(const T2 &o) {                                                 \
    *(unsigned int *)this = __cpr_pair_word(o);                                                    \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T2 &T2::operator=(const Raw2 &r) {                                               \
    x = __cpr_from_bits<T>(r.x);                                                                   \
    y = __cpr_from_bits<T>(r.y);                                                                   \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T2::operator Raw2() const {                                                      \
    Raw2 r;                                                                                        \
    r.x = __cpr_to_bits(x);                                                                        \
    r.y = __cpr_to_bits(y);                                                                        \
    return r;                                                                                      \
  }

// Functions. f of the scalar, g of the pair.
#define __cpr_half_each1(Both, T, T2, f, g, Expression)                                            \
  Both T f(T a) { return Expression; }                                                             \
  Both T2 g(T2 a) { return T2(f(a.x), f(a.y)); }
#define __cpr_half_each2(Both, T, T2, f, g, Expression)                                            \
  Both T f(T a, T b) { return Expression; }                                                        \
  Both T2 g(T2 a, T2 b) { return T2(f(a.x, b.x), f(a.y, b.y)); }
#define __cpr_half_each3(Both, T, T2, f, g, Expression)                                            \
  Both T f(T a, T b, T c) { return Expression; }                                                   \
  Both T2 g(T2 a, T2 b, T2 c) { return T2(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }

#define __cpr_half_binary(T, T2, op, f, g)                                                         \
  __cpr_half_each2(__cpr_both_body, T, T2, f, g, __cpr_round<T>(__cpr_value(a) op __cpr_value(b)))
#define __cpr_half_binary_sat(T, T2, f, g, h)                                                      \
  __cpr_half_each2(__cpr_both_body, T, T2, f, g, __cpr_half_sat(h(a, b)))
#define __cpr_half_unary_bodies(T, T2, f, Expression)                                              \
  __cpr_half_each1(__cpr_body, T, T2, h##f, h2##f, __cpr_round<T>(Expression))

#define __cpr_half_operator_bodies(T, One, add, sub, mul, div, neg)                                \
  __cpr_both_body T operator+(const T &a, const T &b) { return add(a, b); }                        \
  __cpr_both_body T operator-(const T &a, const T &b) { return sub(a, b); }                        \
  __cpr_both_body T operator*(const T &a, const T &b) { return mul(a, b); }                        \
  __cpr_both_body T operator/(const T &a, const T &b) { return div(a, b); }                        \
  __cpr_both_body T &operator+=(T &a, const T &b) { return a = add(a, b); }                        \
  __cpr_both_body T &operator-=(T &a, const T &b) { return a = sub(a, b); }                        \
  __cpr_both_body T &operator*=(T &a, const T &b) { return a = mul(a, b); }                        \
  __cpr_both_body T &operator/=(T &a, const T &b) { return a = div(a, b); }                        \
  __cpr_both_body T &operator++(T &a) { return a = add(a, One); }                                  \
  __cpr_both_body T &operator--(T &a) { return a = sub(a, One); }                                  \
  __cpr_both_body T operator++(T &a, int) {                                                        \
    T Old = a;                                                                                     \
    a = add(a, One);                                                                               \
    return Old;                                                                                    \
  }                                                                                                \
  __cpr_both_body T operator--(T &a, int) {                                                        \
    T Old = a;                                                                                     \
    a = sub(a, One);                                                                               \
    return Old;                                                                                    \
  }                                                                                                \
  __cpr_both_body T operator+(const T &a) { return a; }                                            \
  __cpr_both_body T operator-(const T &a) { return neg(a); }

// The ordered comparison is false for NaN, the unordered one (u) true; only `ne` reads otherwise.
#define __cpr_half_compare_bodies(T, T2, name, op)                                                 \
  __cpr_both_body bool __h##name(T a, T b) {                                                       \
    float x = __cpr_value(a), y = __cpr_value(b);                                                  \
    return !__builtin_isunordered(x, y) && x op y;                                                 \
  }                                                                                                \
  __cpr_both_body bool __h##name##u(T a, T b) {                                                    \
    float x = __cpr_value(a), y = __cpr_value(b);                                                  \
    return __builtin_isunordered(x, y) || x op y;                                                  \
  }                                                                                                \
  __cpr_half_compare_pair(T, T2, name, , __h##name) __cpr_half_compare_pair(T, T2, name, u, __h##name##u)
#define __cpr_half_compare_pair(T, T2, name, u, f)                                                 \
  __cpr_both_body T2 __h##name##u##2(T2 a, T2 b) {                                                 \
    return T2(__cpr_round<T>(f(a.x, b.x) ? 1.0f : 0.0f), __cpr_round<T>(f(a.y, b.y) ? 1.0f : 0.0f)); \
  }                                                                                                \
  __cpr_both_body unsigned int __h##name##u##2_mask(T2 a, T2 b) {                                  \
    return (f(a.x, b.x) ? 0xffffu : 0) | (f(a.y, b.y) ? 0xffff0000u : 0);                          \
  }                                                                                                \
  __cpr_both_body bool __hb##name##u##2(T2 a, T2 b) { return f(a.x, b.x) && f(a.y, b.y); }
#define __cpr_half_relations(T, T2)                                                                \
  __cpr_both_body bool operator==(const T &a, const T &b) { return __heq(a, b); }                  \
  __cpr_both_body bool operator!=(const T &a, const T &b) { return __hneu(a, b); }                 \
  __cpr_both_body bool operator>(const T &a, const T &b) { return __hgt(a, b); }                   \
  __cpr_both_body bool operator<(const T &a, const T &b) { return __hlt(a, b); }                   \
  __cpr_both_body bool operator>=(const T &a, const T &b) { return __hge(a, b); }                  \
  __cpr_both_body bool operator<=(const T &a, const T &b) { return __hle(a, b); }                  \
  __cpr_both_body bool operator==(const T2 &a, const T2 &b) { return __hbeq2(a, b); }              \
  __cpr_both_body bool operator!=(const T2 &a, const T2 &b) { return __hbneu2(a, b); }             \
  __cpr_both_body bool operator>(const T2 &a, const T2 &b) { return __hbgt2(a, b); }               \
  __cpr_both_body bool operator<(const T2 &a, const T2 &b) { return __hblt2(a, b); }               \
  __cpr_both_body bool operator>=(const T2 &a, const T2 &b) { return __hbge2(a, b); }              \
  __cpr_both_body bool operator<=(const T2 &a, const T2 &b) { return __hble2(a, b); }

#define __cpr_half_memory_bodies(T)                                                                \
  __cpr_body T __ldg(const T *p) { return *p; }                                                    \
  __cpr_body T __ldca(const T *p) { return *p; }                                                   \
  __cpr_body T __ldcg(const T *p) { return *p; }                                                   \
  __cpr_body T __ldcs(const T *p) { return *p; }                                                   \
  __cpr_body T __ldlu(const T *p) { return *p; }                                                   \
  __cpr_body T __ldcv(const T *p) { return *p; }                                                   \
  __cpr_body void __stwb(T *p, T v) { *p = v; }                                                    \
  __cpr_body void __stcg(T *p, T v) { *p = v; }                                                    \
  __cpr_body void __stcs(T *p, T v) { *p = v; }                                                    \
  __cpr_body void __stwt(T *p, T v) { *p = v; }                                                    \
  __cpr_shuffle_sync(T)

template <class T> struct __cpr_half_adder {
  T v;
  __cpr_member_body unsigned short operator()(unsigned short x) const {
    return __cpr_to_bits(__hadd(__cpr_from_bits<T>(x), v));
  }
};
template <class T, class T2> struct __cpr_half2_adder {
  T2 v;
  __cpr_member_body unsigned int operator()(unsigned int x) const {
    T a = __hadd(__cpr_from_bits<T>((unsigned short)x), v.x);
    T b = __hadd(__cpr_from_bits<T>((unsigned short)(x >> 16)), v.y);
    return __cpr_to_bits(a) | (unsigned)__cpr_to_bits(b) << 16;
  }
};
template <class T, class T2> __cpr_both_body T2 __cpr_half2_from_word(unsigned int w) {
  return T2(__cpr_from_bits<T>((unsigned short)w), __cpr_from_bits<T>((unsigned short)(w >> 16)));
}

#define __cpr_half_common_bodies(T, T2)                                                            \
  __cpr_half_binary(T, T2, +, __hadd, __hadd2)                                                     \
  __cpr_half_binary(T, T2, +, __hadd_rn, __hadd2_rn)                                               \
  __cpr_half_binary_sat(T, T2, __hadd_sat, __hadd2_sat, __hadd)                                    \
  __cpr_half_binary(T, T2, -, __hsub, __hsub2)                                                     \
  __cpr_half_binary(T, T2, -, __hsub_rn, __hsub2_rn)                                               \
  __cpr_half_binary_sat(T, T2, __hsub_sat, __hsub2_sat, __hsub)                                    \
  __cpr_half_binary(T, T2, *, __hmul, __hmul2)                                                     \
  __cpr_half_binary(T, T2, *, __hmul_rn, __hmul2_rn)                                               \
  __cpr_half_binary_sat(T, T2, __hmul_sat, __hmul2_sat, __hmul)                                    \
  __cpr_half_binary(T, T2, /, __hdiv, __h2div)                                                     \
  __cpr_half_each3(__cpr_body, T, T2, __hfma, __hfma2, __cpr_half_fma(a, b, c))                    \
  __cpr_half_each3(__cpr_body, T, T2, __hfma_sat, __hfma2_sat,                                     \
                   __cpr_half_sat(__cpr_half_fma(a, b, c)))                                        \
  __cpr_half_each3(__cpr_body, T, T2, __hfma_relu, __hfma2_relu,                                   \
                   __cpr_half_relu(__cpr_half_fma(a, b, c)))                                       \
  __cpr_half_each1(__cpr_both_body, T, T2, __habs, __habs2,                                        \
                   __cpr_from_bits<T>(__cpr_to_bits(a) & 0x7fff))                                  \
  __cpr_half_each1(__cpr_both_body, T, T2, __hneg, __hneg2,                                        \
                   __cpr_from_bits<T>(__cpr_to_bits(a) ^ 0x8000))                                  \
  __cpr_half_each2(__cpr_both_body, T, T2, __hmax, __hmax2, __cpr_half_min(a, b, true, false))     \
  __cpr_half_each2(__cpr_both_body, T, T2, __hmin, __hmin2, __cpr_half_min(a, b, false, false))    \
  __cpr_half_each2(__cpr_both_body, T, T2, __hmax_nan, __hmax2_nan,                                \
                   __cpr_half_min(a, b, true, true))                                               \
  __cpr_half_each2(__cpr_both_body, T, T2, __hmin_nan, __hmin2_nan,                                \
                   __cpr_half_min(a, b, false, true))                                              \
  /* (a.x + i a.y) (b.x + i b.y) + c, as two fused operations each. */                             \
  __cpr_body T2 __hcmadd(T2 a, T2 b, T2 c) {                                                       \
    return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),                                     \
              __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                            \
  }                                                                                                \
  __cpr_both_body bool __hisnan(T a) { return __builtin_isnan(__cpr_value(a)); }                   \
  __cpr_both_body int __hisinf(T a) {                                                              \
    float v = __cpr_value(a);                                                                      \
    return !__builtin_isinf(v) ? 0 : v < 0 ? -1 : 1;                                               \
  }                                                                                                \
  __cpr_both_body T2 __hisnan2(T2 a) {                                                             \
    return T2(__cpr_round<T>(__hisnan(a.x) ? 1.0f : 0.0f),                                         \
              __cpr_round<T>(__hisnan(a.y) ? 1.0f : 0.0f));                                        \
  }                                                                                                \
  __cpr_both_body float __low2float(T2 a) { return __cpr_value(a.x); }                             \
  __cpr_both_body float __high2float(T2 a) { return __cpr_value(a.y); }                            \
  __cpr_both_body T2 __lowhigh2highlow(T2 a) { return T2(a.y, a.x); }                              \
  __cpr_half_operator_bodies(T, __cpr_round<T>(1.0f), __hadd, __hsub, __hmul, __hdiv, __hneg)      \
  __cpr_half_operator_bodies(T2, T2(__cpr_round<T>(1.0f), __cpr_round<T>(1.0f)), __hadd2, __hsub2, \
                             __hmul2, __h2div, __hneg2)                                            \
  __cpr_half_compare_bodies(T, T2, eq, ==)                                                         \
  __cpr_half_compare_bodies(T, T2, ne, !=)                                                         \
  __cpr_half_compare_bodies(T, T2, lt, <)                                                          \
  __cpr_half_compare_bodies(T, T2, le, <=)                                                         \
  __cpr_half_compare_bodies(T, T2, gt, >)                                                          \
  __cpr_half_compare_bodies(T, T2, ge, >=)                                                         \
  __cpr_half_relations(T, T2)                                                                      \
  __cpr_half_memory_bodies(T)                                                                      \
  __cpr_half_memory_bodies(T2)                                                                     \
  __cpr_body T atomicAdd(T *p, T v) {                                                              \
    return __cpr_from_bits<T>(__cpr_atomic_update((unsigned short *)p, __cpr_half_adder<T>{v}));   \
  }                                                                                                \
  __cpr_body T2 atomicAdd(T2 *p, T2 v) {                                                           \
    return __cpr_half2_from_word<T, T2>(                                                           \
        __cpr_atomic_update((unsigned int *)p, __cpr_half2_adder<T, T2>{v}));                      \
  }                                                                                                \
  __cpr_half_unary_bodies(T, T2, ceil, __cpr_host_ceilf(__cpr_value(a)))                           \
  __cpr_half_unary_bodies(T, T2, floor, __cpr_host_floorf(__cpr_value(a)))                         \
  __cpr_half_unary_bodies(T, T2, rint, __cpr_host_rintf(__cpr_value(a)))                           \
  __cpr_half_unary_bodies(T, T2, trunc, __cpr_host_truncf(__cpr_value(a)))                         \
  __cpr_half_unary_bodies(T, T2, sin, __cpr_host_sinf(__cpr_value(a)))                             \
  __cpr_half_unary_bodies(T, T2, cos, __cpr_host_cosf(__cpr_value(a)))                             \
  __cpr_half_unary_bodies(T, T2, exp, __cpr_host_expf(__cpr_value(a)))                             \
  __cpr_half_unary_bodies(T, T2, exp2, __cpr_host_exp2f(__cpr_value(a)))                           \
  __cpr_half_unary_bodies(T, T2, exp10, __cpr_host_exp10f(__cpr_value(a)))                         \
  __cpr_half_unary_bodies(T, T2, log, __cpr_host_logf(__cpr_value(a)))                             \
  __cpr_half_unary_bodies(T, T2, log2, __cpr_host_log2f(__cpr_value(a)))                           \
  __cpr_half_unary_bodies(T, T2, log10, __cpr_host_log10f(__cpr_value(a)))                         \
  __cpr_half_unary_bodies(T, T2, rcp, 1.0f / __cpr_value(a))                                       \
  __cpr_half_unary_bodies(T, T2, sqrt, __builtin_sqrtf(__cpr_value(a)))                            \
  __cpr_half_unary_bodies(T, T2, rsqrt, (float)(1 / __builtin_sqrt((double)__cpr_value(a))))       \
  __cpr_half_unary_bodies(T, T2, tanh, __cpr_host_tanhf(__cpr_value(a)))                           \
  __cpr_half_unary_bodies(T, T2, tanh_approx, __cpr_host_tanhf(__cpr_value(a)))

template <class T> __cpr_both_body T __cpr_half_relu(T x) {
  float v = __cpr_value(x);
  return v < 0 ? __cpr_round<T>(0.0f) : x; // NaN stays
}

// Conversions whose names contain the type's.
#define __cpr_half_to_bodies(T, name, I, i, Exact)                                                 \
  __cpr_both_body I __##name##2##i##_rz(T a) { return __cpr_to_integer<I>(__cpr_value(a), 1); }    \
  __cpr_body I __##name##2##i##_rn(T a) { return __cpr_to_integer<I>(__cpr_value(a), 0); }         \
  __cpr_body I __##name##2##i##_ru(T a) { return __cpr_to_integer<I>(__cpr_value(a), 2); }         \
  __cpr_body I __##name##2##i##_rd(T a) { return __cpr_to_integer<I>(__cpr_value(a), 3); }         \
  __cpr_both_body T __##i##2##name##_rn(I a) { return __cpr_from_##Exact<T>(a, 0); }               \
  __cpr_both_body T __##i##2##name##_rz(I a) { return __cpr_from_##Exact<T>(a, 1); }               \
  __cpr_both_body T __##i##2##name##_ru(I a) { return __cpr_from_##Exact<T>(a, 2); }               \
  __cpr_both_body T __##i##2##name##_rd(I a) { return __cpr_from_##Exact<T>(a, 3); }
#define __cpr_half_conversion_bodies(T, T2, name)                                                  \
  __cpr_half_to_bodies(T, name, int, int, integer)                                                 \
  __cpr_half_to_bodies(T, name, unsigned int, uint, integer)                                       \
  __cpr_half_to_bodies(T, name, short, short, integer)                                             \
  __cpr_half_to_bodies(T, name, unsigned short, ushort, integer)                                   \
  __cpr_half_to_bodies(T, name, long long, ll, integer)                                            \
  __cpr_half_to_bodies(T, name, unsigned long long, ull, unsigned)                                 \
  __cpr_both_body signed char __##name##2char_rz(T a) {                                            \
    return __cpr_to_integer<signed char>(__cpr_value(a), 1);                                       \
  }                                                                                                \
  __cpr_both_body unsigned char __##name##2uchar_rz(T a) {                                         \
    return __cpr_to_integer<unsigned char>(__cpr_value(a), 1);                                     \
  }                                                                                                \
  __cpr_both_body short __##name##_as_short(T a) { return (short)__cpr_to_bits(a); }               \
  __cpr_both_body unsigned short __##name##_as_ushort(T a) { return __cpr_to_bits(a); }            \
  __cpr_both_body T __short_as_##name(short a) { return __cpr_from_bits<T>((unsigned short)a); }   \
  __cpr_both_body T __ushort_as_##name(unsigned short a) { return __cpr_from_bits<T>(a); }         \
  __cpr_both_body T __float2##name(float a) { return __cpr_round<T>(a); }                          \
  __cpr_both_body T __float2##name##_rn(float a) { return __cpr_round<T>(a); }                     \
  __cpr_both_body T __float2##name##_rz(float a) { return __cpr_round<T>(a, 1); }                  \
  __cpr_both_body T __float2##name##_ru(float a) { return __cpr_round<T>(a, 2); }                  \
  __cpr_both_body T __float2##name##_rd(float a) { return __cpr_round<T>(a, 3); }                  \
  __cpr_both_body T __double2##name(double a) { return __cpr_from_double<T>(a); }                  \
  __cpr_both_body float __##name##2float(T a) { return __cpr_value(a); }                           \
  __cpr_both_body T2 __float2##name##2_rn(float a) {                                               \
    return T2(__cpr_round<T>(a), __cpr_round<T>(a));                                               \
  }                                                                                                \
  __cpr_both_body T2 __floats2##name##2_rn(float a, float b) {                                     \
    return T2(__cpr_round<T>(a), __cpr_round<T>(b));                                               \
  }                                                                                                \
  __cpr_both_body T2 __float22##name##2_rn(float2 a) {                                             \
    return T2(__cpr_round<T>(a.x), __cpr_round<T>(a.y));                                           \
  }                                                                                                \
  __cpr_both_body float2 __##name##22float2(T2 a) {                                                \
    return float2{__cpr_value(a.x), __cpr_value(a.y)};                                             \
  }                                                                                                \
  __cpr_both_body T2 __##name##2##name##2(T a) { return T2(a, a); }                                \
  __cpr_both_body T __low2##name(T2 a) { return a.x; }                                             \
  __cpr_both_body T __high2##name(T2 a) { return a.y; }                                            \
  __cpr_both_body T2 __low2##name##2(T2 a) { return T2(a.x, a.x); }                                \
  __cpr_both_body T2 __high2##name##2(T2 a) { return T2(a.y, a.y); }                               \
  __cpr_both_body T2 __lows2##name##2(T2 a, T2 b) { return T2(a.x, b.x); }                         \
  __cpr_both_body T2 __highs2##name##2(T2 a, T2 b) { return T2(a.y, b.y); }                        \
  __cpr_both_body T2 make_##name##2(T a, T b) { return T2(a, b); }
