// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: distances of all pairs of points, 64x64 pairs per block, 16 dimensions per step, guarded
// loads of one float.
// Expected limit: FFMA and FADD with operands from shared memory; the guards cost integer
// instructions.
#include <cuda_runtime.h>

constexpr int TILE = 64;     // points on both sides
constexpr int BK = 16;       // dimensions per step
constexpr int THREADS = 256; // 16 x 16, 4 x 4 pairs each

__global__ void __launch_bounds__(THREADS)
    pairwise_64x64x16(const float *__restrict__ X, const float *__restrict__ Y,
                      float *__restrict__ D, int M, int N, int dims) {
  __shared__ float Xs[TILE][BK + 1];
  __shared__ float Ys[TILE][BK + 1];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;

  float acc[4][4] = {};
  for (int k = 0; k < dims; k += BK) {
    for (int i = tid; i < TILE * BK; i += THREADS) {
      const int r = i / BK, c = i % BK;
      Xs[r][c] = top + r < M && k + c < dims ? X[(top + r) * dims + k + c] : 0.0f;
      Ys[r][c] = left + r < N && k + c < dims ? Y[(left + r) * dims + k + c] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        x[i] = Xs[ty + 16 * i][kk];
        y[i] = Ys[tx + 16 * i][kk];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float d = x[i] - y[j];
          acc[i][j] = fmaf(d, d, acc[i][j]);
        }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int row = top + ty + 16 * i, col = left + tx + 16 * j;
      if (row < M && col < N)
        D[row * N + col] = acc[i][j];
    }
}
