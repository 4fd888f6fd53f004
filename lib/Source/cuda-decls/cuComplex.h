//===- cuComplex.h - Complex numbers
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define CU_COMPLEX_H_

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __cpr_complex(C, R, suffix, Name)                                                          \
  __host__ __device__ C make_cu##Name(R, R);                                                       \
  __host__ __device__ R cuCreal##suffix(C);                                                        \
  __host__ __device__ R cuCimag##suffix(C);                                                        \
  __host__ __device__ C cuConj##suffix(C);                                                         \
  __host__ __device__ C cuCadd##suffix(C, C);                                                      \
  __host__ __device__ C cuCsub##suffix(C, C);                                                      \
  __host__ __device__ C cuCmul##suffix(C, C);                                                      \
  __host__ __device__ C cuCdiv##suffix(C, C);                                                      \
  __host__ __device__ R cuCabs##suffix(C);
__cpr_complex(cuFloatComplex, float, f, FloatComplex)
__cpr_complex(cuDoubleComplex, double, , DoubleComplex)
#undef __cpr_complex
__host__ __device__ cuComplex make_cuComplex(float, float);
__host__ __device__ cuComplex cuCfmaf(cuComplex, cuComplex, cuComplex);
__host__ __device__ cuDoubleComplex cuCfma(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex);

#ifdef __CPR_EMULATE__
#include "emulate/complex.h"
#endif
