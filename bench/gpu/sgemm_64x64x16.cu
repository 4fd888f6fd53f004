// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: fp32 matrix product, a 64x64x16 tile, 4x4 elements per thread, loads of one float.
// Expected limit: FFMA and reads of shared memory alike, and the wait for global memory at each
// barrier.
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each

__global__ void __launch_bounds__(THREADS)
    sgemm_64x64x16(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                   int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;

  float acc[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BM * BK; i += THREADS)
      As[i / BK][i % BK] = A[(blockRow + i / BK) * K + k + i % BK];
    for (int i = tid; i < BK * BN; i += THREADS)
      Bs[i / BN][i % BN] = B[(k + i / BN) * N + blockCol + i % BN];
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        a[i] = As[row + i][kk];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        b[j] = Bs[kk][col + j];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockRow + row + i) * N + blockCol + col + j] = acc[i][j];
}
