// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: complex matrix product in fp32, a 32x32x16 tile, 2x2 elements per thread, loads of 8
// bytes.
// Expected limit: FFMA with operands from shared memory.
#include <cuda_runtime.h>

constexpr int TILE = 32; // rows and columns of C per block
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 2 x 2 elements each

__device__ __forceinline__ void multiplyAdd(float2 &c, float2 a, float2 b) {
  c.x = fmaf(a.x, b.x, c.x);
  c.x = fmaf(-a.y, b.y, c.x);
  c.y = fmaf(a.x, b.y, c.y);
  c.y = fmaf(a.y, b.x, c.y);
}

__global__ void __launch_bounds__(THREADS)
    cgemm_32x32x16(const float2 *__restrict__ A, const float2 *__restrict__ B,
                   float2 *__restrict__ C, int N, int K) {
  __shared__ float2 As[TILE][BK];
  __shared__ float2 Bs[BK][TILE];
  const int tid = threadIdx.x;
  const int row = tid / 16 * 2, col = tid % 16; // and 16 further on
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;

  float2 acc[2][2] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < TILE * BK; i += THREADS) {
      As[i / BK][i % BK] = A[(top + i / BK) * K + k + i % BK];
      Bs[i / TILE][i % TILE] = B[(k + i / TILE) * N + left + i % TILE];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk)
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j)
          multiplyAdd(acc[i][j], As[row + i][kk], Bs[kk][col + j * 16]);
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(top + row + i) * N + left + col + j * 16] = acc[i][j];
}
