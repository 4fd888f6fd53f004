//===- cuda_fp16.h - __half and __half2
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "crt/half_types.h"

struct __nv_bfloat16;

struct __align__(2) __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};
struct __align__(2) __half {
protected:
  unsigned short __x;

public:
  __cpr_half_members(__half, __half_raw)
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  __cpr_half_member_conversions(__half)
  explicit __cpr_both __half(__nv_bfloat16);
#endif
};
struct __align__(4) __half2 {
  __half x, y;
  __cpr_half2_members(__half2, __half, __half2_raw)
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

#ifndef __CUDA_NO_HALF_OPERATORS__
__cpr_half_operators(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
__cpr_half_operators(__half2)
#endif
__cpr_half_common(__half, __half2)
__cpr_half_conversions(__half, __half2, half)
__cpr_both __half2 __halves2half2(__half, __half);

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#ifdef __CPR_EMULATE__
#include "emulate/fp16.h"
#endif
