//===- curand_kernel.h - Random numbers in device code
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define CURAND_KERNEL_H_

#include "cuda_runtime.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

#define __cpr_random(S)                                                                            \
  __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, S *);    \
  __device__ void skipahead(unsigned long long, S *);                                              \
  __device__ unsigned int curand(S *);                                                             \
  __device__ float curand_uniform(S *);                                                            \
  __device__ double curand_uniform_double(S *);                                                    \
  __device__ float curand_normal(S *);                                                             \
  __device__ float2 curand_normal2(S *);                                                           \
  __device__ double curand_normal_double(S *);                                                     \
  __device__ float curand_log_normal(S *, float, float);                                           \
  __device__ unsigned int curand_poisson(S *, double);
__cpr_random(curandStateXORWOW)
__cpr_random(curandStatePhilox4_32_10)
__cpr_random(curandStateMRG32k3a)
#undef __cpr_random
__device__ uint4 curand4(curandStatePhilox4_32_10 *);
__device__ float4 curand_uniform4(curandStatePhilox4_32_10 *);
__device__ float4 curand_normal4(curandStatePhilox4_32_10 *);

#ifdef __CPR_EMULATE__
#include "emulate/curand.h"
#endif
