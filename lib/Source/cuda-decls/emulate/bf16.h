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
__cpr_half2_member_bodies(__nv_bfloat162, __nv_bfloat16, __nv_bfloat162_raw)
__cpr_half_common_bodies(__nv_bfloat16, __nv_bfloat162)
__cpr_half_conversion_bodies(__nv_bfloat16, __nv_bfloat162, bfloat16)
__cpr_both_body __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
__cpr_both_body __nv_bfloat16::__nv_bfloat16(__half a) : __nv_bfloat16(__cpr_value(a)) {}
__cpr_both_body __half::__half(__nv_bfloat16 a) : __half(__cpr_value(a)) {}
