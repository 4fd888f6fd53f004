// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: a template with the type and the tile sizes as arguments, here fp32 and 64x128x16, loads
// of 16 bytes.
// Expected limit: FFMA, and the wait for global memory at each barrier.
#include <cuda_runtime.h>

template <typename T, int BM, int BN, int BK>
__global__ void __launch_bounds__(256)
    gemm_template(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int N,
                  int K) {
  constexpr int THREADS = 256, VEC = 16 / sizeof(T);
  constexpr int TM = BM / 16, TN = BN / 16;
  __shared__ __align__(16) T As[BM * BK];
  __shared__ __align__(16) T Bs[BK * BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * TM, col = tid % 16;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;

  T acc[TM][TN] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BM * BK / VEC; i += THREADS) {
      const int r = i / (BK / VEC), c = i % (BK / VEC) * VEC;
      *reinterpret_cast<float4 *>(&As[r * BK + c]) =
          *reinterpret_cast<const float4 *>(&A[(blockRow + r) * K + k + c]);
    }
    for (int i = tid; i < BK * BN / VEC; i += THREADS) {
      const int r = i / (BN / VEC), c = i % (BN / VEC) * VEC;
      *reinterpret_cast<float4 *>(&Bs[r * BN + c]) =
          *reinterpret_cast<const float4 *>(&B[(k + r) * N + blockCol + c]);
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      T a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        a[i] = As[(row + i) * BK + kk];
#pragma unroll
      for (int j = 0; j < TN; ++j)
        b[j] = Bs[kk * BN + col + j * 16];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(blockRow + row + i) * N + blockCol + col + j * 16] = acc[i][j];
}

template __global__ void gemm_template<float, 64, 128, 16>(const float *, const float *, float *,
                                                           int, int);
