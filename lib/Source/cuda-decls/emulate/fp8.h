//===- emulate/fp8.h - Bodies of the 8-bit floating-point types
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Both formats are written by the same routine: M explicit digits, a bias, and what lies behind
/// the largest number (e4m3 has no infinity: S.1111.111 is its NaN).
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// Of a float, or of one that stands for a wider value by an odd last bit.
__cpr_both_body unsigned char __cpr_to_fp8(float x, __nv_saturation_t Saturate,
                                           __nv_fp8_interpretation_t Kind) {
  bool E4 = Kind == __NV_E4M3;
  int Digits = E4 ? 3 : 2;
  unsigned char Largest = E4 ? 0x7e : 0x7b, Beyond = E4 ? 0x7f : 0x7c;
  unsigned u = __builtin_bit_cast(unsigned, x);
  unsigned char Sign = (unsigned char)(u >> 24 & 0x80);
  u &= 0x7fffffff;
  if (u > 0x7f800000)
    return 0x7f; // NaN has no sign in e4m3, and gets none in e5m2
  int Bias = E4 ? 7 : 15;
  // Below the smallest normal number the digits are those of a fixed unit.
  float Smallest = __builtin_bit_cast(float, (unsigned)(128 - Bias) << 23);
  unsigned r;
  float Magnitude = __builtin_bit_cast(float, u);
  if (Magnitude < Smallest) {
    // The unit in the last place of One is the smallest number of the format.
    float One = __builtin_bit_cast(float, (unsigned)(128 - Bias - Digits + 23) << 23);
    r = __builtin_bit_cast(unsigned, Magnitude + One) - __builtin_bit_cast(unsigned, One);
  } else {
    int Shift = 23 - Digits;
    unsigned Rounded = u + (1u << (Shift - 1)) - 1 + (u >> Shift & 1);
    r = (Rounded >> Shift) - ((unsigned)(127 - Bias) << Digits);
  }
  if (r > Largest)
    r = Saturate == __NV_SATFINITE ? Largest : Beyond;
  return (unsigned char)(Sign | r);
}
// Both formats are parts of half's.
__cpr_both_body unsigned short __cpr_fp8_to_half(unsigned char x, __nv_fp8_interpretation_t Kind) {
  if (Kind == __NV_E5M2) {
    unsigned short h = (unsigned short)(x << 8);
    return (h & 0x7fff) > 0x7c00 ? 0x7fff : h;
  }
  if ((x & 0x7f) == 0x7f)
    return 0x7fff;
  // e4m3 in half's places has a bias that is too small by 8; the product is exact.
  unsigned short Moved = (unsigned short)((x & 0x80) << 8 | (x & 0x7f) << 7);
  return __cpr_fp16::nearest(__cpr_fp16::value(Moved) * 256.0f);
}
__cpr_both_body float __cpr_fp8_value(unsigned char x, __nv_fp8_interpretation_t Kind) {
  return __cpr_fp16::value(__cpr_fp8_to_half(x, Kind));
}
__cpr_both_body unsigned int __cpr_to_fp8x4(float a, float b, float c, float d,
                                            __nv_fp8_interpretation_t Kind) {
  return __cpr_to_fp8(a, __NV_SATFINITE, Kind) | (unsigned)__cpr_to_fp8(b, __NV_SATFINITE, Kind) << 8 |
         (unsigned)__cpr_to_fp8(c, __NV_SATFINITE, Kind) << 16 |
         (unsigned)__cpr_to_fp8(d, __NV_SATFINITE, Kind) << 24;
}

__cpr_both_body __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s,
                                                         __nv_fp8_interpretation_t k) {
  return __cpr_to_fp8(x, s, k);
}
__cpr_both_body __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s,
                                                          __nv_fp8_interpretation_t k) {
  return __cpr_to_fp8(__cpr_odd_float({x, 0}), s, k);
}
__cpr_both_body __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s,
                                                              __nv_fp8_interpretation_t k) {
  return (__nv_fp8x2_storage_t)(__cpr_to_fp8(x.x, s, k) | __cpr_to_fp8(x.y, s, k) << 8);
}
__cpr_both_body __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s,
                                                           __nv_fp8_interpretation_t k) {
  return __cpr_to_fp8(__cpr_fp16::value(x.x), s, k);
}
__cpr_both_body __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s,
                                                                __nv_fp8_interpretation_t k) {
  return (__nv_fp8x2_storage_t)(__cpr_to_fp8(__cpr_fp16::value(x.x), s, k) |
                                __cpr_to_fp8(__cpr_fp16::value(x.y), s, k) << 8);
}
__cpr_both_body __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                               __nv_saturation_t s,
                                                               __nv_fp8_interpretation_t k) {
  return __cpr_to_fp8(__cpr_bf16::value(x.x), s, k);
}
__cpr_both_body __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                   __nv_fp8_interpretation_t k) {
  __half_raw r;
  r.x = __cpr_fp8_to_half(x, k);
  return r;
}
__cpr_both_body __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                       __nv_fp8_interpretation_t k) {
  __half2_raw r;
  r.x = __cpr_fp8_to_half((unsigned char)x, k);
  r.y = __cpr_fp8_to_half((unsigned char)(x >> 8), k);
  return r;
}

#define __cpr_fp8_from(T, Kind, F, Expression)                                                     \
  __cpr_both_body T::T(F x) { __x = __cpr_to_fp8(Expression, __NV_SATFINITE, Kind); }
#define __cpr_fp8_from_integer(T, Kind, I, Wide)                                                   \
  __cpr_fp8_from(T, Kind, I, __cpr_odd_float(__cpr_exactly((Wide)x)))
#define __cpr_fp8_to(T, Kind, I)                                                                   \
  __cpr_both_body T::operator I() const {                                                          \
    return __cpr_to_integer<I>(__cpr_fp8_value(__x, Kind), 1);                                     \
  }
#define __cpr_fp8_bodies(T, Kind)                                                                  \
  __cpr_fp8_from(T, Kind, __half, __cpr_value(x))                                                  \
  __cpr_fp8_from(T, Kind, __nv_bfloat16, __cpr_value(x))                                           \
  __cpr_fp8_from(T, Kind, float, x)                                                                \
  __cpr_fp8_from(T, Kind, double, __cpr_odd_float({x, 0}))                                         \
  __cpr_fp8_from_integer(T, Kind, short, long long)                                                \
  __cpr_fp8_from_integer(T, Kind, unsigned short, long long)                                       \
  __cpr_fp8_from_integer(T, Kind, int, long long)                                                  \
  __cpr_fp8_from_integer(T, Kind, unsigned int, long long)                                         \
  __cpr_fp8_from_integer(T, Kind, long, long long)                                                 \
  __cpr_fp8_from_integer(T, Kind, unsigned long, unsigned long long)                               \
  __cpr_fp8_from_integer(T, Kind, long long, long long)                                            \
  __cpr_fp8_from_integer(T, Kind, unsigned long long, unsigned long long)                          \
  __cpr_both_body T::operator __half() const {                                                     \
    return __cpr_of(__half, __cpr_fp8_to_half(__x, Kind));                                  \
  }                                                                                                \
  __cpr_both_body T::operator __nv_bfloat16() const {                                              \
    return __cpr_round<__nv_bfloat16>(__cpr_fp8_value(__x, Kind));                                 \
  }                                                                                                \
  __cpr_both_body T::operator float() const { return __cpr_fp8_value(__x, Kind); }                 \
  __cpr_both_body T::operator double() const { return __cpr_fp8_value(__x, Kind); }                \
  __cpr_fp8_to(T, Kind, int) __cpr_fp8_to(T, Kind, unsigned int) __cpr_fp8_to(T, Kind, short)      \
  __cpr_fp8_to(T, Kind, unsigned short) __cpr_fp8_to(T, Kind, char)                                \
  __cpr_fp8_to(T, Kind, signed char) __cpr_fp8_to(T, Kind, unsigned char)                          \
  __cpr_fp8_to(T, Kind, long long) __cpr_fp8_to(T, Kind, unsigned long long)                       \
  __cpr_both_body T::operator bool() const { return (__x & 0x7f) != 0; }
#define __cpr_fp8x2_bodies(T, Kind)                                                                \
  __cpr_both_body T::T(float2 x) { __x = __nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, Kind); }      \
  __cpr_both_body T::T(__half2 x) : T(float2{__cpr_value(x.x), __cpr_value(x.y)}) {}               \
  __cpr_both_body T::T(__nv_bfloat162 x) : T(float2{__cpr_value(x.x), __cpr_value(x.y)}) {}        \
  __cpr_both_body T::operator float2() const {                                                     \
    return float2{__cpr_fp8_value((unsigned char)__x, Kind),                                       \
                  __cpr_fp8_value((unsigned char)(__x >> 8), Kind)};                               \
  }                                                                                                \
  __cpr_both_body T::operator __half2() const {                                                    \
    return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, Kind));                                         \
  }
#define __cpr_fp8x4_bodies(T, Kind)                                                                \
  __cpr_both_body T::T(float4 x) { __x = __cpr_to_fp8x4(x.x, x.y, x.z, x.w, Kind); }               \
  __cpr_both_body T::T(__half2 a, __half2 b) {                                                     \
    __x = __cpr_to_fp8x4(__cpr_value(a.x), __cpr_value(a.y), __cpr_value(b.x), __cpr_value(b.y),   \
                         Kind);                                                                    \
  }                                                                                                \
  __cpr_both_body T::T(__nv_bfloat162 a, __nv_bfloat162 b) {                                       \
    __x = __cpr_to_fp8x4(__cpr_value(a.x), __cpr_value(a.y), __cpr_value(b.x), __cpr_value(b.y),   \
                         Kind);                                                                    \
  }                                                                                                \
  __cpr_both_body T::operator float4() const {                                                     \
    return float4{__cpr_fp8_value((unsigned char)__x, Kind),                                       \
                  __cpr_fp8_value((unsigned char)(__x >> 8), Kind),                                \
                  __cpr_fp8_value((unsigned char)(__x >> 16), Kind),                               \
                  __cpr_fp8_value((unsigned char)(__x >> 24), Kind)};                              \
  }
__cpr_fp8_bodies(__nv_fp8_e4m3, __NV_E4M3)
__cpr_fp8_bodies(__nv_fp8_e5m2, __NV_E5M2)
__cpr_fp8x2_bodies(__nv_fp8x2_e4m3, __NV_E4M3)
__cpr_fp8x2_bodies(__nv_fp8x2_e5m2, __NV_E5M2)
__cpr_fp8x4_bodies(__nv_fp8x4_e4m3, __NV_E4M3)
__cpr_fp8x4_bodies(__nv_fp8x4_e5m2, __NV_E5M2)
#undef __cpr_fp8_bodies
#undef __cpr_fp8x2_bodies
#undef __cpr_fp8x4_bodies
#undef __cpr_fp8_from
#undef __cpr_fp8_from_integer
#undef __cpr_fp8_to
