//===- vector_functions.h - make_int4 and the like
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__

#include "vector_types.h"

#define __cpr_make(T, Name)                                                                        \
  __host__ __device__ Name##1 make_##Name##1(T x);                                                 \
  __host__ __device__ Name##2 make_##Name##2(T x, T y);                                            \
  __host__ __device__ Name##3 make_##Name##3(T x, T y, T z);                                       \
  __host__ __device__ Name##4 make_##Name##4(T x, T y, T z, T w);
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
  __host__ __device__ Name##4_16a make_##Name##4_16a(T x, T y, T z, T w);                          \
  __host__ __device__ Name##4_32a make_##Name##4_32a(T x, T y, T z, T w);
__cpr_make4(long, long)
__cpr_make4(unsigned long, ulong)
__cpr_make4(long long, longlong)
__cpr_make4(unsigned long long, ulonglong)
__cpr_make4(double, double)
#undef __cpr_make4

#ifdef __CPR_EMULATE__
#include "emulate/vector.h"
#endif
