//===- emulate/vector.h - Bodies of make_float4 and its like
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

#define __cpr_make(T, Name)                                                                        \
  __cpr_both_body Name##1 make_##Name##1(T x) { return Name##1{x}; }                               \
  __cpr_both_body Name##2 make_##Name##2(T x, T y) { return Name##2{x, y}; }                       \
  __cpr_both_body Name##3 make_##Name##3(T x, T y, T z) { return Name##3{x, y, z}; }               \
  __cpr_both_body Name##4 make_##Name##4(T x, T y, T z, T w) { return Name##4{x, y, z, w}; }
__cpr_make(signed char, char)
__cpr_make(unsigned char, uchar)
__cpr_make(short, short)
__cpr_make(unsigned short, ushort)
__cpr_make(int, int)
__cpr_make(unsigned int, uint)
__cpr_make(long, long)
__cpr_make(unsigned long, ulong)
__cpr_make(long long, longlong)
__cpr_make(unsigned long long, ulonglong)
__cpr_make(float, float)
__cpr_make(double, double)
#undef __cpr_make
#define __cpr_make4(T, Name)                                                                       \
  __cpr_both_body Name##4_16a make_##Name##4_16a(T x, T y, T z, T w) {                             \
    return Name##4_16a{x, y, z, w};                                                                \
  }                                                                                                \
  __cpr_both_body Name##4_32a make_##Name##4_32a(T x, T y, T z, T w) {                             \
    return Name##4_32a{x, y, z, w};                                                                \
  }
__cpr_make4(long, long)
__cpr_make4(unsigned long, ulong)
__cpr_make4(long long, longlong)
__cpr_make4(unsigned long long, ulonglong)
__cpr_make4(double, double)
#undef __cpr_make4
