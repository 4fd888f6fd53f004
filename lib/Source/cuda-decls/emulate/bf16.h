//===- emulate/bf16.h - Bodies of __nv_bfloat16 and __nv_bfloat162
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "half_types.h"

template <> struct __cpr_format_of<__nv_bfloat16> {
  typedef __cpr_bf16 type;
};
__cpr_half_member_bodies(__nv_bfloat16, __nv_bfloat16_raw)
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
__cpr_half_member_conversion_bodies(__nv_bfloat16, __cpr_bf16)
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
__cpr_half_all_operator_bodies(__nv_bfloat16, __cpr_bf16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
__cpr_half2_all_operator_bodies(__nv_bfloat16, __nv_bfloat162, __cpr_bf16)
#endif
__cpr_half2_member_bodies(__nv_bfloat162, __nv_bfloat162_raw)
__cpr_half_common_bodies(__nv_bfloat16, __nv_bfloat162, __cpr_bf16)
__cpr_half_conversion_bodies(__nv_bfloat16, __nv_bfloat162, __cpr_bf16, bfloat16)
#define __cpr_make_half(b) __cpr_of(__nv_bfloat16, b)
__cpr_half_memory_bodies(__nv_bfloat16, unsigned short, __cpr_make_half)
__cpr_half_memory_bodies(__nv_bfloat162, unsigned int, __cpr_of_word<__nv_bfloat162>)
#undef __cpr_make_half
__cpr_both_body __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
__cpr_half_from(__nv_bfloat16, __half, __cpr_bf16::nearest(__cpr_fp16::value(__cpr_bits(x))))
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
__cpr_half_from(__half, __nv_bfloat16, __cpr_fp16::nearest(__cpr_bf16::value(__cpr_bits(x))))
#endif
