//===- emulate/fp16.h - Bodies of __half and __half2
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "half_types.h"

template <> struct __cpr_format_of<__half> {
  typedef __cpr_fp16 type;
};
__cpr_half_member_bodies(__half, __half_raw)
#ifndef __CUDA_NO_HALF_CONVERSIONS__
__cpr_half_member_conversion_bodies(__half, __cpr_fp16)
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
__cpr_half_all_operator_bodies(__half, __cpr_fp16)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
__cpr_half2_all_operator_bodies(__half, __half2, __cpr_fp16)
#endif
__cpr_half2_member_bodies(__half2, __half2_raw)
__cpr_half_common_bodies(__half, __half2, __cpr_fp16)
__cpr_half_conversion_bodies(__half, __half2, __cpr_fp16, half)
#define __cpr_make_half(b) __cpr_of(__half, b)
__cpr_half_memory_bodies(__half, unsigned short, __cpr_make_half)
__cpr_half_memory_bodies(__half2, unsigned int, __cpr_of_word<__half2>)
#undef __cpr_make_half
__cpr_both_body __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
