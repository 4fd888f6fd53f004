//===- emulate/curand.h - cuRAND's device functions are not emulated
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The sequences are cuRAND's own, and their start needs its tables: a generator that gives other
/// numbers would hide what depends on them.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

#define __cpr_random(S)                                                                            \
  __cpr_body void curand_init(unsigned long long, unsigned long long, unsigned long long, S *)     \
      __cpr_unsupported("curand_init")                                                             \
  __cpr_body void skipahead(unsigned long long, S *) __cpr_unsupported("skipahead of cuRAND")      \
  __cpr_body unsigned int curand(S *) __cpr_unsupported("curand")                                  \
  __cpr_body float curand_uniform(S *) __cpr_unsupported("curand_uniform")                         \
  __cpr_body double curand_uniform_double(S *) __cpr_unsupported("curand_uniform_double")          \
  __cpr_body float curand_normal(S *) __cpr_unsupported("curand_normal")                           \
  __cpr_body float2 curand_normal2(S *) __cpr_unsupported("curand_normal2")                        \
  __cpr_body double curand_normal_double(S *) __cpr_unsupported("curand_normal_double")            \
  __cpr_body float curand_log_normal(S *, float, float) __cpr_unsupported("curand_log_normal")     \
  __cpr_body unsigned int curand_poisson(S *, double) __cpr_unsupported("curand_poisson")
__cpr_random(curandStateXORWOW)
__cpr_random(curandStatePhilox4_32_10)
__cpr_random(curandStateMRG32k3a)
#undef __cpr_random
__cpr_body uint4 curand4(curandStatePhilox4_32_10 *) __cpr_unsupported("curand4")
__cpr_body float4 curand_uniform4(curandStatePhilox4_32_10 *) __cpr_unsupported("curand_uniform4")
__cpr_body float4 curand_normal4(curandStatePhilox4_32_10 *) __cpr_unsupported("curand_normal4")
