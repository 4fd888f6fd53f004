// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: fp32 matrix product as in a textbook, a 32x32 tile, one element per thread, loads of one
// float.
// Expected limit: reads of shared memory, two for each multiplication.
#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void __launch_bounds__(TILE *TILE)
    sgemm_32x32(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int t = 0; t < K / TILE; ++t) {
    As[ty][tx] = A[row * K + t * TILE + tx];
    Bs[ty][tx] = B[(t * TILE + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}
