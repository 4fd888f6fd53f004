//===- cuda_fp8.h - 8-bit floating point
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

__cpr_both __nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t,
                                                    __nv_fp8_interpretation_t);
__cpr_both __nv_fp8_storage_t __nv_cvt_double_to_fp8(double, __nv_saturation_t,
                                                     __nv_fp8_interpretation_t);
__cpr_both __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2, __nv_saturation_t,
                                                         __nv_fp8_interpretation_t);
__cpr_both __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw, __nv_saturation_t,
                                                      __nv_fp8_interpretation_t);
__cpr_both __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw, __nv_saturation_t,
                                                           __nv_fp8_interpretation_t);
__cpr_both __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw, __nv_saturation_t,
                                                          __nv_fp8_interpretation_t);
__cpr_both __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t);
__cpr_both __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t);

#define __cpr_fp8(T)                                                                               \
  struct __align__(1) T {                                                                          \
    __nv_fp8_storage_t __x;                                                                        \
    T() = default;                                                                                 \
    explicit __cpr_both T(__half);                                                                 \
    explicit __cpr_both T(__nv_bfloat16);                                                          \
    explicit __cpr_both T(float);                                                                  \
    explicit __cpr_both T(double);                                                                 \
    explicit __cpr_both T(short);                                                                  \
    explicit __cpr_both T(unsigned short);                                                         \
    explicit __cpr_both T(int);                                                                    \
    explicit __cpr_both T(unsigned int);                                                           \
    explicit __cpr_both T(long);                                                                   \
    explicit __cpr_both T(unsigned long);                                                          \
    explicit __cpr_both T(long long);                                                              \
    explicit __cpr_both T(unsigned long long);                                                     \
    explicit __cpr_both operator __half() const;                                                   \
    explicit __cpr_both operator __nv_bfloat16() const;                                            \
    explicit __cpr_both operator float() const;                                                    \
    explicit __cpr_both operator double() const;                                                   \
    explicit __cpr_both operator int() const;                                                      \
    explicit __cpr_both operator unsigned int() const;                                             \
    explicit __cpr_both operator short() const;                                                    \
    explicit __cpr_both operator unsigned short() const;                                           \
    explicit __cpr_both operator char() const;                                                     \
    explicit __cpr_both operator signed char() const;                                              \
    explicit __cpr_both operator unsigned char() const;                                            \
    explicit __cpr_both operator long long() const;                                                \
    explicit __cpr_both operator unsigned long long() const;                                       \
    explicit __cpr_both operator bool() const;                                                     \
  };
#define __cpr_fp8x(T, Storage, Bytes, F, H2)                                                       \
  struct __align__(Bytes) T {                                                                      \
    Storage __x;                                                                                   \
    T() = default;                                                                                 \
    explicit __cpr_both T(F);                                                                      \
    explicit __cpr_both operator F() const;                                                        \
    H2                                                                                             \
  };
#define __cpr_fp8x2(T)                                                                             \
  __cpr_fp8x(T, __nv_fp8x2_storage_t, 2, float2, explicit __cpr_both T(__half2);                   \
             explicit __cpr_both T(__nv_bfloat162); explicit __cpr_both operator __half2() const;)
#define __cpr_fp8x4(T)                                                                             \
  __cpr_fp8x(T, __nv_fp8x4_storage_t, 4, float4, explicit __cpr_both T(__half2, __half2);          \
             explicit __cpr_both T(__nv_bfloat162, __nv_bfloat162);)
__cpr_fp8(__nv_fp8_e4m3)
__cpr_fp8(__nv_fp8_e5m2)
__cpr_fp8x2(__nv_fp8x2_e4m3)
__cpr_fp8x2(__nv_fp8x2_e5m2)
__cpr_fp8x4(__nv_fp8x4_e4m3)
__cpr_fp8x4(__nv_fp8x4_e5m2)
#undef __cpr_fp8
#undef __cpr_fp8x
#undef __cpr_fp8x2
#undef __cpr_fp8x4

#ifdef __CPR_EMULATE__
#include "emulate/fp8.h"
#endif
