//===- emulate/half_types.h - What the bodies of half and bfloat16 have in common
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Arithmetic is in float and rounded once more: float has more than twice the digits of either
/// type and two to spare, so for + - * / and the square root that is the correctly rounded result.
/// A fused multiply-add is exact in a pair of doubles first (rounding.h).
///
/// The arithmetic is on bits (__cpr_half_format), and the functions only unpack and pack them. That
/// is for the sake of the compiler: a scalar that is copied by its constructors has Clang look at
/// every constructor with every conversion of the type, which for some hundred functions takes
/// longer than all the rest.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// What follows from Traits::nearest(float) -> bits and Traits::value(bits) -> float.
template <class Traits> struct __cpr_half_format {
  typedef unsigned short bits;
  // Of a float that is the value, or stands for it by an odd last bit.
  static __cpr_both_body bits rounded(float x, int Mode) {
    bits r = Traits::nearest(x);
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
      return (r & 0x7fff) == 0 ? 0x8001 : (bits)(r & 0x8000 ? r + 1 : r - 1);
    if (!Below && Up)
      return (r & 0x7fff) == 0 ? 0x0001 : (bits)(r & 0x8000 ? r - 1 : r + 1);
    return r;
  }
  static __cpr_both_body bits pair(__cpr_pair p, int Mode) {
    return rounded(__cpr_odd_float(p), Mode);
  }
  static __cpr_both_body bits wide(double x) { return pair(__cpr_pair{x, 0}, 0); }
  static __cpr_both_body bits integer(long long x, int Mode) {
    return pair(__cpr_exactly(x), Mode);
  }
  static __cpr_both_body bits natural(unsigned long long x, int Mode) {
    return pair(__cpr_exactly(x), Mode);
  }
  static __cpr_both_body bits truth(bool x) { return x ? Traits::one : 0; }

  static __cpr_both_body bits add(bits a, bits b) {
    return Traits::nearest(Traits::value(a) + Traits::value(b));
  }
  static __cpr_both_body bits sub(bits a, bits b) {
    return Traits::nearest(Traits::value(a) - Traits::value(b));
  }
  static __cpr_both_body bits mul(bits a, bits b) {
    return Traits::nearest(Traits::value(a) * Traits::value(b));
  }
  static __cpr_both_body bits div(bits a, bits b) {
    return Traits::nearest(Traits::value(a) / Traits::value(b));
  }
  static __cpr_both_body bits fma(bits a, bits b, bits c) {
    return pair(__cpr_two_sum((double)Traits::value(a) * Traits::value(b), Traits::value(c)), 0);
  }
  static __cpr_both_body bits sat(bits x) {
    float v = Traits::value(x);
    return v > 0 ? (v < 1 ? x : Traits::one) : 0; // NaN is zero
  }
  static __cpr_both_body bits add_sat(bits a, bits b) { return sat(add(a, b)); }
  static __cpr_both_body bits sub_sat(bits a, bits b) { return sat(sub(a, b)); }
  static __cpr_both_body bits mul_sat(bits a, bits b) { return sat(mul(a, b)); }
  static __cpr_both_body bits fma_sat(bits a, bits b, bits c) { return sat(fma(a, b, c)); }
  static __cpr_both_body bits fma_relu(bits a, bits b, bits c) {
    bits r = fma(a, b, c);
    return Traits::value(r) < 0 ? 0 : r; // NaN stays
  }
  static __cpr_both_body bits abs(bits a) { return a & 0x7fff; }
  static __cpr_both_body bits neg(bits a) { return a ^ 0x8000; }
  static __cpr_both_body bits least(bits a, bits b, bool Max, bool Nan) {
    float x = Traits::value(a), y = Traits::value(b);
    bool NanA = __builtin_isnan(x), NanB = __builtin_isnan(y);
    if ((NanA && NanB) || (Nan && (NanA || NanB)))
      return 0x7fff;
    if (NanA || NanB)
      return NanA ? b : a;
    bool Less = x < y || (x == y && __builtin_signbit(x));
    return Less != Max ? a : b;
  }
  static __cpr_both_body bits max(bits a, bits b) { return least(a, b, true, false); }
  static __cpr_both_body bits min(bits a, bits b) { return least(a, b, false, false); }
  static __cpr_both_body bits max_nan(bits a, bits b) { return least(a, b, true, true); }
  static __cpr_both_body bits min_nan(bits a, bits b) { return least(a, b, false, true); }
  static __cpr_both_body bool is_nan(bits a) { return __builtin_isnan(Traits::value(a)); }
  // 1 less, 2 equal, 4 greater, 8 unordered.
  static __cpr_both_body int order(bits a, bits b) {
    float x = Traits::value(a), y = Traits::value(b);
    return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
  }
};

struct __cpr_fp16 : __cpr_half_format<__cpr_fp16> {
  static constexpr unsigned short one = 0x3c00;
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
  static constexpr unsigned short one = 0x3f80;
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

// Which format a type has, for templates; specialised in fp16.h and bf16.h.
template <class T> struct __cpr_format_of {};
template <class T> __cpr_both_body float __cpr_value(const T &x) {
  return __cpr_format_of<T>::type::value(__builtin_bit_cast(unsigned short, x));
}
template <class T> __cpr_both_body T __cpr_round(float x) {
  return __builtin_bit_cast(T, __cpr_format_of<T>::type::nearest(x));
}

// A scalar's bits, the scalar of bits, where it lies in memory; a pair likewise (its alignment
// matters, so it moves as one word).
#define __cpr_bits(x) __builtin_bit_cast(unsigned short, x)
#define __cpr_of(T, b) __builtin_bit_cast(T, (unsigned short)(b))
#define __cpr_at(x) (*(unsigned short *)&(x))
#define __cpr_word_at(x) (*(unsigned int *)&(x))
template <class T2> __cpr_both_body T2 __cpr_of_word(unsigned int w) {
  T2 r;
  __cpr_word_at(r) = w;
  return r;
}

// Members. F is the format.
#define __cpr_half_from(T, C, Expression)                                                          \
  __cpr_both_body T::T(C x) { __x = Expression; }
#define __cpr_half_assign(T, C, Expression)                                                        \
  __cpr_both_body T &T::operator=(C x) {                                                           \
    __x = Expression;                                                                              \
    return *this;                                                                                  \
  }
#define __cpr_half_from_and_assign(T, C, Expression)                                               \
  __cpr_half_from(T, C, Expression) __cpr_half_assign(T, C, Expression)
#define __cpr_half_into(T, F, I)                                                                     \
  __cpr_both_body T::operator I() const { return __cpr_to_integer<I>(F::value(__x), 1); }
#define __cpr_half_member_bodies(T, Raw)                                                           \
  __cpr_half_assign(T, const Raw &, x.x)                                                           \
  __cpr_both_body volatile T &T::operator=(const Raw &r) volatile {                                \
    __x = r.x;                                                                                     \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T::operator Raw() const { return {__x}; }                                        \
  __cpr_both_body T::operator Raw() const volatile { return {__x}; }
#define __cpr_half_member_conversion_bodies(T, F)                                                  \
  __cpr_half_from_and_assign(T, float, F::nearest(x))                                              \
  __cpr_half_from_and_assign(T, double, F::wide(x))                                                \
  __cpr_half_from_and_assign(T, short, F::nearest(x))                                              \
  __cpr_half_from_and_assign(T, unsigned short, F::nearest(x))                                     \
  __cpr_half_from_and_assign(T, int, F::integer(x, 0))                                             \
  __cpr_half_from_and_assign(T, unsigned int, F::integer(x, 0))                                    \
  __cpr_half_from(T, long, F::integer(x, 0))                                                       \
  __cpr_half_from(T, unsigned long, F::natural(x, 0))                                              \
  __cpr_half_from_and_assign(T, long long, F::integer(x, 0))                                       \
  __cpr_half_from_and_assign(T, unsigned long long, F::natural(x, 0))                              \
  __cpr_both_body T::operator float() const { return F::value(__x); }                              \
  __cpr_half_into(T, F, signed char) __cpr_half_into(T, F, unsigned char) __cpr_half_into(T, F, char)\
  __cpr_half_into(T, F, short) __cpr_half_into(T, F, unsigned short) __cpr_half_into(T, F, int)    \
  __cpr_half_into(T, F, unsigned int) __cpr_half_into(T, F, long) __cpr_half_into(T, F, unsigned long)\
  __cpr_half_into(T, F, long long) __cpr_half_into(T, F, unsigned long long)

#define __cpr_half2_member_bodies(T2, Raw2)                                                        \
  __cpr_both_body T2::T2(const T2 &&o) { __cpr_word_at(*this) = __cpr_word_at(o); }                \
  __cpr_both_body T2::T2(const T2 &o) { __cpr_word_at(*this) = __cpr_word_at(o); }                 \
  __cpr_both_body T2::T2(const Raw2 &o) { __cpr_word_at(*this) = __cpr_word_at(o); }               \
  __cpr_both_body T2 &T2::operator=(const T2 &&o) {                                                \
    __cpr_word_at(*this) = __cpr_word_at(o);                                                       \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T2 &T2::operator=(const T2 &o) {                                                 \
    __cpr_word_at(*this) = __cpr_word_at(o);                                                       \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T2 &T2::operator=(const Raw2 &o) {                                               \
    __cpr_word_at(*this) = __cpr_word_at(o);                                                       \
    return *this;                                                                                  \
  }                                                                                                \
  __cpr_both_body T2::operator Raw2() const { return {__cpr_bits(x), __cpr_bits(y)}; }

// Functions of bits: f of the scalar, g of the pair.
#define __cpr_both_of(T, T2, low, high) T2(__cpr_of(T, low), __cpr_of(T, high))
#define __cpr_half_each1(T, T2, f, g, op)                                                          \
  __cpr_both_body T f(T a) { return __cpr_of(T, op(__cpr_bits(a))); }                              \
  __cpr_both_body T2 g(T2 a) {                                                                     \
    return __cpr_both_of(T, T2, op(__cpr_bits(a.x)), op(__cpr_bits(a.y)));                         \
  }
#define __cpr_half_each2(T, T2, f, g, op)                                                          \
  __cpr_both_body T f(T a, T b) { return __cpr_of(T, op(__cpr_bits(a), __cpr_bits(b))); }          \
  __cpr_both_body T2 g(T2 a, T2 b) {                                                               \
    return __cpr_both_of(T, T2, op(__cpr_bits(a.x), __cpr_bits(b.x)),                              \
                         op(__cpr_bits(a.y), __cpr_bits(b.y)));                                    \
  }
#define __cpr_half_each3(T, T2, f, g, op)                                                          \
  __cpr_body T f(T a, T b, T c) {                                                                  \
    return __cpr_of(T, op(__cpr_bits(a), __cpr_bits(b), __cpr_bits(c)));                           \
  }                                                                                                \
  __cpr_body T2 g(T2 a, T2 b, T2 c) {                                                              \
    return __cpr_both_of(T, T2, op(__cpr_bits(a.x), __cpr_bits(b.x), __cpr_bits(c.x)),             \
                         op(__cpr_bits(a.y), __cpr_bits(b.y), __cpr_bits(c.y)));                   \
  }
// Of a float function, or an expression of v.
#define __cpr_half_math_body(T, T2, F, f, Expression)                                              \
  __cpr_device_float(__cpr_##F##_##f, Expression)                                                  \
  __cpr_body T h##f(T a) { return __cpr_of(T, F::nearest(__cpr_##F##_##f(F::value(__cpr_bits(a))))); } \
  __cpr_body T2 h2##f(T2 a) {                                                                      \
    return __cpr_both_of(T, T2, F::nearest(__cpr_##F##_##f(F::value(__cpr_bits(a.x)))),            \
                         F::nearest(__cpr_##F##_##f(F::value(__cpr_bits(a.y)))));                  \
  }
#define __cpr_device_float(name, Expression)                                                       \
  __cpr_body float name(float v) { return Expression; }

#define __cpr_half_operator_bodies(T, F, op, f)                                                    \
  __cpr_both_body T operator op(const T &a, const T &b) {                                          \
    return __cpr_of(T, F::f(__cpr_bits(a), __cpr_bits(b)));                                        \
  }                                                                                                \
  __cpr_both_body T &operator op##=(T &a, const T &b) {                                            \
    __cpr_at(a) = F::f(__cpr_bits(a), __cpr_bits(b));                                              \
    return a;                                                                                      \
  }
#define __cpr_half2_operator_bodies(T, T2, F, op, f)                                               \
  __cpr_both_body T2 operator op(const T2 &a, const T2 &b) {                                       \
    return __cpr_both_of(T, T2, F::f(__cpr_bits(a.x), __cpr_bits(b.x)),                            \
                         F::f(__cpr_bits(a.y), __cpr_bits(b.y)));                                  \
  }                                                                                                \
  __cpr_both_body T2 &operator op##=(T2 &a, const T2 &b) {                                         \
    unsigned int High = F::f(__cpr_bits(a.y), __cpr_bits(b.y));                                    \
    __cpr_word_at(a) = F::f(__cpr_bits(a.x), __cpr_bits(b.x)) | High << 16;                        \
    return a;                                                                                      \
  }
#define __cpr_half_step_bodies(T, F, op, f)                                                        \
  __cpr_both_body T &operator op(T &a) {                                                           \
    __cpr_at(a) = F::f(__cpr_bits(a), F::one);                                                     \
    return a;                                                                                      \
  }                                                                                                \
  __cpr_both_body T operator op(T &a, int) {                                                       \
    unsigned short Old = __cpr_bits(a);                                                            \
    __cpr_at(a) = F::f(Old, F::one);                                                               \
    return __cpr_of(T, Old);                                                                       \
  }
#define __cpr_half2_step_bodies(T2, F, op, f)                                                      \
  __cpr_both_body T2 &operator op(T2 &a) {                                                         \
    unsigned int High = F::f(__cpr_bits(a.y), F::one);                                             \
    __cpr_word_at(a) = F::f(__cpr_bits(a.x), F::one) | High << 16;                                 \
    return a;                                                                                      \
  }                                                                                                \
  __cpr_both_body T2 operator op(T2 &a, int) {                                                     \
    unsigned int Old = __cpr_word_at(a);                                                           \
    operator op(a);                                                                                \
    return __cpr_of_word<T2>(Old);                                                                 \
  }

// Which orders make a comparison true (__cpr_half_format::order): the plain one, and with u also
// when the numbers are unordered.
#define __cpr_half_compare_bodies(T, T2, F, name, Orders)                                          \
  __cpr_half_compare_one(T, T2, F, __h##name, __h##name##2, __h##name##2_mask, __hb##name##2, Orders) \
  __cpr_half_compare_one(T, T2, F, __h##name##u, __h##name##u2, __h##name##u2_mask,                \
                         __hb##name##u2, Orders | 8)
#define __cpr_half_compare_one(T, T2, F, f, f2, mask, both, Orders)                                \
  __cpr_both_body bool f(T a, T b) { return F::order(__cpr_bits(a), __cpr_bits(b)) & (Orders); }   \
  __cpr_both_body T2 f2(T2 a, T2 b) {                                                              \
    return __cpr_both_of(T, T2, F::truth(F::order(__cpr_bits(a.x), __cpr_bits(b.x)) & (Orders)),   \
                         F::truth(F::order(__cpr_bits(a.y), __cpr_bits(b.y)) & (Orders)));         \
  }                                                                                                \
  __cpr_both_body unsigned int mask(T2 a, T2 b) {                                                  \
    return (F::order(__cpr_bits(a.x), __cpr_bits(b.x)) & (Orders) ? 0xffffu : 0) |                 \
           (F::order(__cpr_bits(a.y), __cpr_bits(b.y)) & (Orders) ? 0xffff0000u : 0);              \
  }                                                                                                \
  __cpr_both_body bool both(T2 a, T2 b) {                                                          \
    return (F::order(__cpr_bits(a.x), __cpr_bits(b.x)) & (Orders)) &&                              \
           (F::order(__cpr_bits(a.y), __cpr_bits(b.y)) & (Orders));                                \
  }
#define __cpr_half_relation(T, F, op, Orders)                                                      \
  __cpr_both_body bool operator op(const T &a, const T &b) {                                       \
    return F::order(__cpr_bits(a), __cpr_bits(b)) & (Orders);                                      \
  }
#define __cpr_half2_relation(T2, F, op, Orders)                                                    \
  __cpr_both_body bool operator op(const T2 &a, const T2 &b) {                                     \
    return (F::order(__cpr_bits(a.x), __cpr_bits(b.x)) & (Orders)) &&                              \
           (F::order(__cpr_bits(a.y), __cpr_bits(b.y)) & (Orders));                                \
  }

// Memory. Word: unsigned short or unsigned int; Make packs one.
#define __cpr_half_load(T, Word, Make, f)                                                          \
  __cpr_body T f(const T *p) {                                                                     \
    __cpr_emu_need_global(p);                                                                      \
    return Make(*(const Word *)p);                                                                 \
  }
#define __cpr_half_lasting_load(T, Word, Make, f)                                                  \
  __cpr_body T f(const T *p) {                                                                     \
    __cpr_emu_need_global(p);                                                                      \
    __cpr_emu_need_lasting(p, sizeof(T));                                                          \
    return Make(*(const Word *)p);                                                                 \
  }
#define __cpr_half_store(T, Word, f)                                                               \
  __cpr_body void f(T *p, T v) {                                                                   \
    __cpr_emu_need_global(p);                                                                      \
    *(Word *)p = *(Word *)&v;                                                                      \
  }
#define __cpr_half_shuffle(T, Word, Make, f, D)                                                    \
  __cpr_body T __##f##_sync(unsigned int Mask, T v, D d, int Width) {                              \
    return Make(                                                                                   \
        __cpr_from_lane<Word>(Mask, *(Word *)&v, __cpr_##f##_lane(__cpr_emu_lane(), d, Width)));   \
  }
#define __cpr_half_memory_bodies(T, Word, Make)                                                    \
  __cpr_half_lasting_load(T, Word, Make, __ldg) __cpr_half_load(T, Word, Make, __ldca)             \
  __cpr_half_load(T, Word, Make, __ldcg) __cpr_half_load(T, Word, Make, __ldcs)                    \
  __cpr_half_load(T, Word, Make, __ldlu) __cpr_half_load(T, Word, Make, __ldcv)                    \
  __cpr_half_store(T, Word, __stwb) __cpr_half_store(T, Word, __stcg)                              \
  __cpr_half_store(T, Word, __stcs) __cpr_half_store(T, Word, __stwt)                              \
  __cpr_half_shuffle(T, Word, Make, shfl, int)                                                     \
  __cpr_half_shuffle(T, Word, Make, shfl_up, unsigned int)                                         \
  __cpr_half_shuffle(T, Word, Make, shfl_down, unsigned int)                                       \
  __cpr_half_shuffle(T, Word, Make, shfl_xor, int)

template <class F> struct __cpr_half_adder {
  unsigned short v;
  __cpr_member_body unsigned short operator()(unsigned short x) const { return F::add(x, v); }
};
template <class F> struct __cpr_half2_adder {
  unsigned int v;
  __cpr_member_body unsigned int operator()(unsigned int x) const {
    return F::add((unsigned short)x, (unsigned short)v) |
           (unsigned)F::add((unsigned short)(x >> 16), (unsigned short)(v >> 16)) << 16;
  }
};

#define __cpr_half_common_bodies(T, T2, F)                                                         \
  __cpr_half_each2(T, T2, __hadd, __hadd2, F::add)                                                 \
  __cpr_half_each2(T, T2, __hadd_rn, __hadd2_rn, F::add)                                           \
  __cpr_half_each2(T, T2, __hadd_sat, __hadd2_sat, F::add_sat)                                     \
  __cpr_half_each2(T, T2, __hsub, __hsub2, F::sub)                                                 \
  __cpr_half_each2(T, T2, __hsub_rn, __hsub2_rn, F::sub)                                           \
  __cpr_half_each2(T, T2, __hsub_sat, __hsub2_sat, F::sub_sat)                                     \
  __cpr_half_each2(T, T2, __hmul, __hmul2, F::mul)                                                 \
  __cpr_half_each2(T, T2, __hmul_rn, __hmul2_rn, F::mul)                                           \
  __cpr_half_each2(T, T2, __hmul_sat, __hmul2_sat, F::mul_sat)                                     \
  __cpr_half_each2(T, T2, __hdiv, __h2div, F::div)                                                 \
  __cpr_half_each2(T, T2, __hmax, __hmax2, F::max)                                                 \
  __cpr_half_each2(T, T2, __hmin, __hmin2, F::min)                                                 \
  __cpr_half_each2(T, T2, __hmax_nan, __hmax2_nan, F::max_nan)                                     \
  __cpr_half_each2(T, T2, __hmin_nan, __hmin2_nan, F::min_nan)                                     \
  __cpr_half_each3(T, T2, __hfma, __hfma2, F::fma)                                                 \
  __cpr_half_each3(T, T2, __hfma_sat, __hfma2_sat, F::fma_sat)                                     \
  __cpr_half_each3(T, T2, __hfma_relu, __hfma2_relu, F::fma_relu)                                  \
  __cpr_half_each1(T, T2, __habs, __habs2, F::abs)                                                 \
  __cpr_half_each1(T, T2, __hneg, __hneg2, F::neg)                                                 \
  /* (a.x + i a.y) (b.x + i b.y) + c, as two fused operations each. */                             \
  __cpr_body T2 __hcmadd(T2 a, T2 b, T2 c) {                                                       \
    unsigned short ax = __cpr_bits(a.x), ay = __cpr_bits(a.y);                                     \
    unsigned short bx = __cpr_bits(b.x), by = __cpr_bits(b.y);                                     \
    return __cpr_both_of(T, T2, F::fma(F::neg(ay), by, F::fma(ax, bx, __cpr_bits(c.x))),           \
                         F::fma(ay, bx, F::fma(ax, by, __cpr_bits(c.y))));                         \
  }                                                                                                \
  __cpr_both_body bool __hisnan(T a) { return F::is_nan(__cpr_bits(a)); }                          \
  __cpr_both_body int __hisinf(T a) {                                                              \
    float v = F::value(__cpr_bits(a));                                                             \
    return !__builtin_isinf(v) ? 0 : v < 0 ? -1 : 1;                                               \
  }                                                                                                \
  __cpr_both_body T2 __hisnan2(T2 a) {                                                             \
    return __cpr_both_of(T, T2, F::truth(F::is_nan(__cpr_bits(a.x))),                              \
                         F::truth(F::is_nan(__cpr_bits(a.y))));                                    \
  }                                                                                                \
  __cpr_both_body float __low2float(T2 a) { return F::value(__cpr_bits(a.x)); }                    \
  __cpr_both_body float __high2float(T2 a) { return F::value(__cpr_bits(a.y)); }                   \
  __cpr_both_body T2 __lowhigh2highlow(T2 a) { return T2(a.y, a.x); }                              \
  __cpr_half_compare_bodies(T, T2, F, eq, 2)                                                       \
  __cpr_half_compare_bodies(T, T2, F, ne, 1 | 4)                                                   \
  __cpr_half_compare_bodies(T, T2, F, lt, 1)                                                       \
  __cpr_half_compare_bodies(T, T2, F, le, 1 | 2)                                                   \
  __cpr_half_compare_bodies(T, T2, F, gt, 4)                                                       \
  __cpr_half_compare_bodies(T, T2, F, ge, 4 | 2)                                                   \
  __cpr_body T atomicAdd(T *p, T v) {                                                              \
    return __cpr_of(T, __cpr_atomic_update((unsigned short *)p, __cpr_half_adder<F>{__cpr_bits(v)}));\
  }                                                                                                \
  __cpr_body T2 atomicAdd(T2 *p, T2 v) {                                                           \
    return __cpr_of_word<T2>(                                                                      \
        __cpr_atomic_update((unsigned int *)p, __cpr_half2_adder<F>{__cpr_word_at(v)}));           \
  }                                                                                                \
  __cpr_half_math_body(T, T2, F, ceil, __cpr_host_ceilf(v))                                        \
  __cpr_half_math_body(T, T2, F, floor, __cpr_host_floorf(v))                                      \
  __cpr_half_math_body(T, T2, F, rint, __cpr_host_rintf(v))                                        \
  __cpr_half_math_body(T, T2, F, trunc, __cpr_host_truncf(v))                                      \
  __cpr_half_math_body(T, T2, F, sin, __cpr_host_sinf(v))                                          \
  __cpr_half_math_body(T, T2, F, cos, __cpr_host_cosf(v))                                          \
  __cpr_half_math_body(T, T2, F, exp, __cpr_host_expf(v))                                          \
  __cpr_half_math_body(T, T2, F, exp2, __cpr_host_exp2f(v))                                        \
  __cpr_half_math_body(T, T2, F, exp10, __cpr_host_exp10f(v))                                      \
  __cpr_half_math_body(T, T2, F, log, __cpr_host_logf(v))                                          \
  __cpr_half_math_body(T, T2, F, log2, __cpr_host_log2f(v))                                        \
  __cpr_half_math_body(T, T2, F, log10, __cpr_host_log10f(v))                                      \
  __cpr_half_math_body(T, T2, F, rcp, 1.0f / v)                                                    \
  __cpr_half_math_body(T, T2, F, sqrt, __builtin_sqrtf(v))                                         \
  __cpr_half_math_body(T, T2, F, rsqrt, (float)(1 / __builtin_sqrt((double)v)))                    \
  __cpr_half_math_body(T, T2, F, tanh, __cpr_host_tanhf(v))                                        \
  __cpr_half_math_body(T, T2, F, tanh_approx, __cpr_host_tanhf(v))
#define __cpr_half_all_operator_bodies(T, F)                                                       \
  __cpr_half_operator_bodies(T, F, +, add)                                                         \
  __cpr_half_operator_bodies(T, F, -, sub)                                                         \
  __cpr_half_operator_bodies(T, F, *, mul)                                                         \
  __cpr_half_operator_bodies(T, F, /, div)                                                         \
  __cpr_half_step_bodies(T, F, ++, add)                                                            \
  __cpr_half_step_bodies(T, F, --, sub)                                                            \
  __cpr_both_body T operator+(const T &a) { return __cpr_of(T, __cpr_bits(a)); }                   \
  __cpr_both_body T operator-(const T &a) { return __cpr_of(T, F::neg(__cpr_bits(a))); }           \
  __cpr_half_relation(T, F, ==, 2)                                                                 \
  __cpr_half_relation(T, F, !=, 1 | 4 | 8) /* NaN differs from all */                              \
  __cpr_half_relation(T, F, >, 4)                                                                  \
  __cpr_half_relation(T, F, <, 1)                                                                  \
  __cpr_half_relation(T, F, >=, 4 | 2)                                                             \
  __cpr_half_relation(T, F, <=, 1 | 2)
#define __cpr_half2_all_operator_bodies(T, T2, F)                                                  \
  __cpr_half2_operator_bodies(T, T2, F, +, add)                                                    \
  __cpr_half2_operator_bodies(T, T2, F, -, sub)                                                    \
  __cpr_half2_operator_bodies(T, T2, F, *, mul)                                                    \
  __cpr_half2_operator_bodies(T, T2, F, /, div)                                                    \
  __cpr_half2_step_bodies(T2, F, ++, add)                                                          \
  __cpr_half2_step_bodies(T2, F, --, sub)                                                          \
  __cpr_both_body T2 operator+(const T2 &a) { return __cpr_of_word<T2>(__cpr_word_at(a)); }        \
  __cpr_both_body T2 operator-(const T2 &a) {                                                      \
    return __cpr_of_word<T2>(__cpr_word_at(a) ^ 0x80008000u);                                      \
  }                                                                                                \
  __cpr_half2_relation(T2, F, ==, 2)                                                               \
  __cpr_half2_relation(T2, F, !=, 1 | 4 | 8) /* NaN differs from all */                            \
  __cpr_half2_relation(T2, F, >, 4)                                                                \
  __cpr_half2_relation(T2, F, <, 1)                                                                \
  __cpr_half2_relation(T2, F, >=, 4 | 2)                                                           \
  __cpr_half2_relation(T2, F, <=, 1 | 2)

// Conversions whose names contain the type's.
#define __cpr_half_integer_bodies(T, F, name, I, i, Exact)                                         \
  __cpr_both_body I __##name##2##i##_rz(T a) {                                                     \
    return __cpr_to_integer<I>(F::value(__cpr_bits(a)), 1);                                        \
  }                                                                                                \
  __cpr_body I __##name##2##i##_rn(T a) { return __cpr_to_integer<I>(F::value(__cpr_bits(a)), 0); } \
  __cpr_body I __##name##2##i##_ru(T a) { return __cpr_to_integer<I>(F::value(__cpr_bits(a)), 2); } \
  __cpr_body I __##name##2##i##_rd(T a) { return __cpr_to_integer<I>(F::value(__cpr_bits(a)), 3); } \
  __cpr_both_body T __##i##2##name##_rn(I a) { return __cpr_of(T, F::Exact(a, 0)); }               \
  __cpr_both_body T __##i##2##name##_rz(I a) { return __cpr_of(T, F::Exact(a, 1)); }               \
  __cpr_both_body T __##i##2##name##_ru(I a) { return __cpr_of(T, F::Exact(a, 2)); }               \
  __cpr_both_body T __##i##2##name##_rd(I a) { return __cpr_of(T, F::Exact(a, 3)); }
#define __cpr_half_conversion_bodies(T, T2, F, name)                                               \
  __cpr_half_integer_bodies(T, F, name, int, int, integer)                                         \
  __cpr_half_integer_bodies(T, F, name, unsigned int, uint, integer)                               \
  __cpr_half_integer_bodies(T, F, name, short, short, integer)                                     \
  __cpr_half_integer_bodies(T, F, name, unsigned short, ushort, integer)                           \
  __cpr_half_integer_bodies(T, F, name, long long, ll, integer)                                    \
  __cpr_half_integer_bodies(T, F, name, unsigned long long, ull, natural)                          \
  __cpr_both_body signed char __##name##2char_rz(T a) {                                            \
    return __cpr_to_integer<signed char>(F::value(__cpr_bits(a)), 1);                              \
  }                                                                                                \
  __cpr_both_body unsigned char __##name##2uchar_rz(T a) {                                         \
    return __cpr_to_integer<unsigned char>(F::value(__cpr_bits(a)), 1);                            \
  }                                                                                                \
  __cpr_both_body short __##name##_as_short(T a) { return (short)__cpr_bits(a); }                  \
  __cpr_both_body unsigned short __##name##_as_ushort(T a) { return __cpr_bits(a); }               \
  __cpr_both_body T __short_as_##name(short a) { return __cpr_of(T, a); }                          \
  __cpr_both_body T __ushort_as_##name(unsigned short a) { return __cpr_of(T, a); }                \
  __cpr_both_body T __float2##name(float a) { return __cpr_of(T, F::nearest(a)); }                 \
  __cpr_both_body T __float2##name##_rn(float a) { return __cpr_of(T, F::nearest(a)); }            \
  __cpr_both_body T __float2##name##_rz(float a) { return __cpr_of(T, F::rounded(a, 1)); }         \
  __cpr_both_body T __float2##name##_ru(float a) { return __cpr_of(T, F::rounded(a, 2)); }         \
  __cpr_both_body T __float2##name##_rd(float a) { return __cpr_of(T, F::rounded(a, 3)); }         \
  __cpr_both_body T __double2##name(double a) { return __cpr_of(T, F::wide(a)); }                  \
  __cpr_both_body float __##name##2float(T a) { return F::value(__cpr_bits(a)); }                  \
  __cpr_both_body T2 __float2##name##2_rn(float a) {                                               \
    return __cpr_both_of(T, T2, F::nearest(a), F::nearest(a));                                     \
  }                                                                                                \
  __cpr_both_body T2 __floats2##name##2_rn(float a, float b) {                                     \
    return __cpr_both_of(T, T2, F::nearest(a), F::nearest(b));                                     \
  }                                                                                                \
  __cpr_both_body T2 __float22##name##2_rn(float2 a) {                                             \
    return __cpr_both_of(T, T2, F::nearest(a.x), F::nearest(a.y));                                 \
  }                                                                                                \
  __cpr_both_body float2 __##name##22float2(T2 a) {                                                \
    return float2{F::value(__cpr_bits(a.x)), F::value(__cpr_bits(a.y))};                           \
  }                                                                                                \
  __cpr_both_body T2 __##name##2##name##2(T a) { return T2(a, a); }                                \
  __cpr_both_body T __low2##name(T2 a) { return __cpr_of(T, __cpr_bits(a.x)); }                    \
  __cpr_both_body T __high2##name(T2 a) { return __cpr_of(T, __cpr_bits(a.y)); }                   \
  __cpr_both_body T2 __low2##name##2(T2 a) { return T2(a.x, a.x); }                                \
  __cpr_both_body T2 __high2##name##2(T2 a) { return T2(a.y, a.y); }                               \
  __cpr_both_body T2 __lows2##name##2(T2 a, T2 b) { return T2(a.x, b.x); }                         \
  __cpr_both_body T2 __highs2##name##2(T2 a, T2 b) { return T2(a.y, b.y); }                        \
  __cpr_both_body T2 make_##name##2(T a, T b) { return T2(a, b); }
