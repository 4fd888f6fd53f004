// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: fp32 matrix product, a 128x128x16 tile, loads of float4, 8x8 elements per thread of which
// each reads eight neighbours of B.
// Expected limit: reads of shared memory: eight neighbours per thread are two-way bank conflicts,
// and A is read by element.
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 8 x 8 elements each

__global__ void __launch_bounds__(THREADS)
    sgemm_128x128x16_b8(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float As[BM][BK];
  __shared__ __align__(16) float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 8, col = tid % 16 * 8;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[8][8] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BM * BK / 4; i += THREADS) {
      const int r = i / (BK / 4), c = i % (BK / 4) * 4;
      *reinterpret_cast<float4 *>(&As[r][c]) = *reinterpret_cast<const float4 *>(&A[r * K + k + c]);
    }
    for (int i = tid; i < BK * BN / 4; i += THREADS) {
      const int r = i / (BN / 4), c = i % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&B[(k + r) * N + c]);
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[8], b[8];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        a[i] = As[row + i][kk];
#pragma unroll
      for (int j = 0; j < 8; ++j)
        b[j] = Bs[kk][col + j];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[(row + i) * N + col + j] = acc[i][j];
}
