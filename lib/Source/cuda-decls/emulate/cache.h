//===- emulate/cache.h - Loads and stores with a cache policy
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A policy changes how long something takes. (The non-coherent __ldg reads what a plain load reads;
/// where the two could differ there is a race, and that is reported.)
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

#define __cpr_cached(T)                                                                            \
  __cpr_body T __ldg(const T *p) { return *p; }                                                    \
  __cpr_body T __ldca(const T *p) { return *p; }                                                   \
  __cpr_body T __ldcg(const T *p) { return *p; }                                                   \
  __cpr_body T __ldcs(const T *p) { return *p; }                                                   \
  __cpr_body T __ldlu(const T *p) { return *p; }                                                   \
  __cpr_body T __ldcv(const T *p) { return *p; }                                                   \
  __cpr_body void __stwb(T *p, T v) { *p = v; }                                                    \
  __cpr_body void __stcg(T *p, T v) { *p = v; }                                                    \
  __cpr_body void __stcs(T *p, T v) { *p = v; }                                                    \
  __cpr_body void __stwt(T *p, T v) { *p = v; }
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
