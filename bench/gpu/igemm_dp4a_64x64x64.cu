// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: int8 matrix product by dp4a, B given by columns, words of four bytes, padded rows, 4x4
// elements per thread.
// Expected limit: dp4a with operands from shared memory.
#include <cuda_runtime.h>

constexpr int TILE = 64;     // rows and columns of C per block
constexpr int BK = 16;       // words of four bytes of K per step
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each

// K counts words.
__global__ void __launch_bounds__(THREADS)
    igemm_dp4a_64x64x64(const int *__restrict__ A, const int *__restrict__ B, int *__restrict__ C,
                        int N, int K) {
  __shared__ int As[TILE][BK + 1];
  __shared__ int Bs[TILE][BK + 1];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;

  int acc[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < TILE * BK; i += THREADS) {
      As[i / BK][i % BK] = A[(top + i / BK) * K + k + i % BK];
      Bs[i / BK][i % BK] = B[(left + i / BK) * K + k + i % BK];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      int a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[i] = As[ty + 16 * i][kk];
        b[i] = Bs[tx + 16 * i][kk];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] = __dp4a(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(top + ty + 16 * i) * N + left + tx + 16 * j] = acc[i][j];
}
