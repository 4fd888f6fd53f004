//===- crt/cache_functions.h - Loads and stores with a cache policy
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../vector_types.h"

#ifdef __CPR_EMULATE__
#include "../emulate/cache.h"
#else
#define __cpr_load(T, f) __device__ T f(const T *);
#define __cpr_lasting_load __cpr_load
#define __cpr_store(T, f) __device__ void f(T *, T);
#endif
#define __cpr_cached(T)                                                                            \
  __cpr_lasting_load(T, __ldg)                                                                     \
  __cpr_load(T, __ldca)                                                                            \
  __cpr_load(T, __ldcg)                                                                            \
  __cpr_load(T, __ldcs)                                                                            \
  __cpr_load(T, __ldlu)                                                                            \
  __cpr_load(T, __ldcv)                                                                            \
  __cpr_store(T, __stwb)                                                                           \
  __cpr_store(T, __stcg)                                                                           \
  __cpr_store(T, __stcs)                                                                           \
  __cpr_store(T, __stwt)
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
#undef __cpr_load
#undef __cpr_store
