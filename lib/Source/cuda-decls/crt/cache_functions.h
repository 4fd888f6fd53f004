//===- crt/cache_functions.h - Loads and stores with a cache policy
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../vector_types.h"

#define __cpr_cached(T)                                                                            \
  __device__ T __ldg(const T *);                                                                   \
  __device__ T __ldca(const T *);                                                                  \
  __device__ T __ldcg(const T *);                                                                  \
  __device__ T __ldcs(const T *);                                                                  \
  __device__ T __ldlu(const T *);                                                                  \
  __device__ T __ldcv(const T *);                                                                  \
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

#ifdef __CPR_EMULATE__
#include "../emulate/cache.h"
#endif
