//===- device_atomic_functions.h - Atomics
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include "vector_types.h"

// Each operation for the grid, for the block, and for the system.
#define __cpr_atomic(T, f)                                                                         \
  __device__ T f(T *, T);                                                                          \
  __device__ T f##_block(T *, T);                                                                  \
  __device__ T f##_system(T *, T);
#define __cpr_cas(T)                                                                               \
  __device__ T atomicCAS(T *, T, T);                                                               \
  __device__ T atomicCAS_block(T *, T, T);                                                         \
  __device__ T atomicCAS_system(T *, T, T);
__cpr_atomic(int, atomicAdd)
__cpr_atomic(unsigned int, atomicAdd)
__cpr_atomic(unsigned long long, atomicAdd)
__cpr_atomic(float, atomicAdd)
__cpr_atomic(double, atomicAdd)
__cpr_atomic(int, atomicSub)
__cpr_atomic(unsigned int, atomicSub)
__cpr_atomic(int, atomicExch)
__cpr_atomic(unsigned int, atomicExch)
__cpr_atomic(unsigned long long, atomicExch)
__cpr_atomic(float, atomicExch)
__cpr_atomic(int, atomicMin)
__cpr_atomic(unsigned int, atomicMin)
__cpr_atomic(long long, atomicMin)
__cpr_atomic(unsigned long long, atomicMin)
__cpr_atomic(int, atomicMax)
__cpr_atomic(unsigned int, atomicMax)
__cpr_atomic(long long, atomicMax)
__cpr_atomic(unsigned long long, atomicMax)
__cpr_atomic(unsigned int, atomicInc)
__cpr_atomic(unsigned int, atomicDec)
__cpr_atomic(int, atomicAnd)
__cpr_atomic(unsigned int, atomicAnd)
__cpr_atomic(unsigned long long, atomicAnd)
__cpr_atomic(int, atomicOr)
__cpr_atomic(unsigned int, atomicOr)
__cpr_atomic(unsigned long long, atomicOr)
__cpr_atomic(int, atomicXor)
__cpr_atomic(unsigned int, atomicXor)
__cpr_atomic(unsigned long long, atomicXor)
#if __CUDA_ARCH__ >= 900
__cpr_atomic(float2, atomicAdd)
__cpr_atomic(float4, atomicAdd)
#endif
__cpr_cas(int)
__cpr_cas(unsigned int)
__cpr_cas(unsigned long long)
__cpr_cas(unsigned short)
#undef __cpr_atomic
#undef __cpr_cas

#ifdef __CPR_EMULATE__
#include "emulate/atomics.h"
#endif
