//===- cuda_bf16.h - __nv_bfloat16 and __nv_bfloat162
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __CUDA_BF16_H__

#include "crt/half_types.h"
#include "cuda_fp16.h"

struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};
struct __align__(2) __nv_bfloat16 {
protected:
  unsigned short __x;

public:
  __cpr_half_members(__nv_bfloat16, __nv_bfloat16_raw)
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
  __cpr_half_member_conversions(__nv_bfloat16)
  explicit __cpr_both __nv_bfloat16(__half);
#endif
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __cpr_half2_members(__nv_bfloat162, __nv_bfloat16, __nv_bfloat162_raw)
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
__cpr_half_operators(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
__cpr_half_operators(__nv_bfloat162)
#endif
__cpr_half_common(__nv_bfloat16, __nv_bfloat162)
__cpr_half_conversions(__nv_bfloat16, __nv_bfloat162, bfloat16)
__cpr_both __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#ifdef __CPR_EMULATE__
#include "emulate/bf16.h"
#endif
