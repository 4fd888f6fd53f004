// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: batched small matrix products in fp32, one 32x32 result per block, 16 of K per step.
// Expected limit: bandwidth of global memory; a block has few tiles, so that the first wait of each
// weighs much.
#include <cuda_runtime.h>

constexpr int SIZE = 32; // rows and columns of C
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 2 x 2 elements each

__global__ void __launch_bounds__(THREADS)
    batched_32x32x16(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int K) {
  __shared__ float As[SIZE][BK];
  __shared__ float Bs[BK][SIZE];
  const int tid = threadIdx.x;
  const int row = tid / 16 * 2, col = tid % 16 * 2;
  A += static_cast<size_t>(blockIdx.x) * SIZE * K;
  B += static_cast<size_t>(blockIdx.x) * SIZE * K;
  C += static_cast<size_t>(blockIdx.x) * SIZE * SIZE;

  float acc[2][2] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < SIZE * BK; i += THREADS) {
      As[i / BK][i % BK] = A[i / BK * K + k + i % BK];
      Bs[i / SIZE][i % SIZE] = B[(k + i / SIZE) * SIZE + i % SIZE];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk)
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j)
          acc[i][j] += As[row + i][kk] * Bs[kk][col + j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(row + i) * SIZE + col + j] = acc[i][j];
}
