//===- cublas_v2.h - cuBLAS, as far as kernels are compared with it
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include <stdint.h>

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);

#define __cpr_blas(X, T)                                                                           \
  cublasStatus_t cublas##X##gemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,   \
                                 int, const T *, const T *, int, const T *, int, const T *, T *,   \
                                 int);                                                             \
  cublasStatus_t cublas##X##gemmStridedBatched(                                                    \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T *, const T *,   \
      int, long long, const T *, int, long long, const T *, T *, int, long long, int);             \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, \
                                        int, int, const T *, const T *const[], int,                \
                                        const T *const[], int, const T *, T *const[], int, int);   \
  cublasStatus_t cublas##X##gemv(cublasHandle_t, cublasOperation_t, int, int, const T *,           \
                                 const T *, int, const T *, int, const T *, T *, int);             \
  cublasStatus_t cublas##X##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,   \
                                 const T *, const T *, int, const T *, const T *, int, T *, int);  \
  cublasStatus_t cublas##X##axpy(cublasHandle_t, int, const T *, const T *, int, T *, int);        \
  cublasStatus_t cublas##X##copy(cublasHandle_t, int, const T *, int, T *, int);                   \
  cublasStatus_t cublas##X##scal(cublasHandle_t, int, const T *, T *, int);                        \
  cublasStatus_t cublas##X##dot(cublasHandle_t, int, const T *, int, const T *, int, T *);         \
  cublasStatus_t cublas##X##nrm2(cublasHandle_t, int, const T *, int, T *);                        \
  cublasStatus_t cublas##X##asum(cublasHandle_t, int, const T *, int, T *);
__cpr_blas(S, float)
__cpr_blas(D, double)
__cpr_blas(H, __half)
#undef __cpr_blas
cublasStatus_t cublasCgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                           const cuComplex *, const cuComplex *, int, const cuComplex *, int,
                           const cuComplex *, cuComplex *, int);
} // extern "C"

cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                            const void *, const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                            const void *, const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *, cudaDataType, int,
                            cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                          int, int, int, const void *, const void *, cudaDataType,
                                          int, long long, const void *, cudaDataType, int,
                                          long long, const void *, void *, cudaDataType, int,
                                          long long, int, cublasComputeType_t, cublasGemmAlgo_t);
