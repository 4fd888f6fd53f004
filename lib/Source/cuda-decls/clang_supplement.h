//===- clang_supplement.h - What Clang leaves out of a toolkit
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Included before the first line of a file that is read with a toolkit: functions that nvcc
/// declares and Clang's own wrapper of the toolkit's headers does not.
///
//===----------------------------------------------------------------------===//
#pragma once
#pragma GCC system_header // its functions are the toolkit's

// nvcc includes these as well.
#if __has_include(<assert.h>)
#include <assert.h>
#endif
#if __has_include(<math.h>)
#include <math.h>
#endif
#if __has_include(<time.h>)
#include <time.h>
#endif

// In nvcc, min and max are for the host too.
#define __cpr_minmax(R, A, B)                                                                      \
  __host__ R min(A, B);                                                                            \
  __host__ R max(A, B);
#define __cpr_minmax_int(T)                                                                        \
  __cpr_minmax(T, T, T) __cpr_minmax(unsigned T, unsigned T, unsigned T)                           \
      __cpr_minmax(unsigned T, T, unsigned T) __cpr_minmax(unsigned T, unsigned T, T)
__cpr_minmax_int(int)
__cpr_minmax_int(long)
__cpr_minmax_int(long long)
__cpr_minmax(float, float, float)
__cpr_minmax(double, double, double)
__cpr_minmax(double, float, double)
__cpr_minmax(double, double, float)
#undef __cpr_minmax
#undef __cpr_minmax_int

// Loads and stores with a cache policy; Clang has __ldg, __ldcg, __ldcs and __ldcv only.
#define __cpr_cached(T)                                                                            \
  __device__ T __ldca(const T *);                                                                  \
  __device__ T __ldlu(const T *);                                                                  \
  __device__ void __stwb(T *, T);                                                                  \
  __device__ void __stcg(T *, T);                                                                  \
  __device__ void __stcs(T *, T);                                                                  \
  __device__ void __stwt(T *, T);
__cpr_cached(char)
__cpr_cached(signed char)
__cpr_cached(unsigned char)
__cpr_cached(short)
__cpr_cached(unsigned short)
__cpr_cached(int)
__cpr_cached(unsigned int)
__cpr_cached(long)
__cpr_cached(unsigned long)
__cpr_cached(long long)
__cpr_cached(unsigned long long)
__cpr_cached(float)
__cpr_cached(double)
__cpr_cached(char2)
__cpr_cached(char4)
__cpr_cached(uchar2)
__cpr_cached(uchar4)
__cpr_cached(short2)
__cpr_cached(short4)
__cpr_cached(ushort2)
__cpr_cached(ushort4)
__cpr_cached(int2)
__cpr_cached(int4)
__cpr_cached(uint2)
__cpr_cached(uint4)
__cpr_cached(longlong2)
__cpr_cached(ulonglong2)
__cpr_cached(float2)
__cpr_cached(float4)
__cpr_cached(double2)
#undef __cpr_cached
