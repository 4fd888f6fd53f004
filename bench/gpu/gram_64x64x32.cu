// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: transpose-multiply. G = X' * X in fp32, 64x64 elements of G per block, 32 rows of X per
// step, loads of one float.
// Expected limit: FFMA and reads of shared memory alike, and the wait for global memory at each
// barrier.
#include <cuda_runtime.h>

constexpr int TILE = 64; // columns of X on both sides
constexpr int BK = 32;   // rows of X per step
constexpr int THREADS = 256;

// X has rows times N elements; rows past the last one count as zeros.
__global__ void __launch_bounds__(THREADS)
    gram_64x64x32(const float *__restrict__ X, float *__restrict__ G, int rows, int N) {
  __shared__ float Xi[BK][TILE];
  __shared__ float Xj[BK][TILE];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int left = blockIdx.y * TILE, right = blockIdx.x * TILE;

  float acc[4][4] = {};
  for (int k = 0; k < rows; k += BK) {
    for (int i = tid; i < BK * TILE; i += THREADS) {
      const int r = i / TILE, c = i % TILE;
      Xi[r][c] = k + r < rows ? X[(k + r) * N + left + c] : 0.0f;
      Xj[r][c] = k + r < rows ? X[(k + r) * N + right + c] : 0.0f;
    }
    __syncthreads();

#pragma unroll 8
    for (int kk = 0; kk < BK; ++kk) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[i] = Xi[kk][row + i];
        b[i] = Xj[kk][col + i];
      }
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
      G[(left + row + i) * N + right + col + j] = acc[i][j];
}
