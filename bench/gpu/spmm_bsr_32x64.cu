// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: block-sparse times dense matrix. Dense blocks of 32x32 and, for each, 32 rows of the
// dense matrix, which the block's column chooses; loads of float4.
// Expected limit: FFMA with operands from shared memory, and two waits for global memory in a row,
// column and rows.
#include <cuda_runtime.h>

constexpr int SIZE = 32;     // rows and columns of a block of the sparse matrix
constexpr int BN = 64;       // columns of the dense matrix per thread block
constexpr int THREADS = 256; // 16 x 16, 2 x 4 elements each

// A row of blocks has as many as all others.
__global__ void __launch_bounds__(THREADS)
    spmm_bsr_32x64(const float *__restrict__ blocks, const int *__restrict__ columns,
                   const float *__restrict__ dense, float *__restrict__ out, int perRow, int N) {
  __shared__ __align__(16) float As[SIZE][SIZE];
  __shared__ __align__(16) float Bs[SIZE][BN];
  const int tid = threadIdx.x;
  const int row = tid / 16 * 2, col = tid % 16 * 4;
  const int left = blockIdx.x * BN;

  float acc[2][4] = {};
  for (int b = 0; b < perRow; ++b) {
    const int at = blockIdx.y * perRow + b;
    const int column = columns[at];
    reinterpret_cast<float4 *>(&As[0][0])[tid] =
        reinterpret_cast<const float4 *>(blocks)[at * (SIZE * SIZE / 4) + tid];
    for (int i = tid; i < SIZE * BN / 4; i += THREADS) {
      const int r = i / (BN / 4), c = i % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&dense[(column * SIZE + r) * N + left + c]);
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < SIZE; ++k)
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[row + i][k] * Bs[k][col + j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      out[(blockIdx.y * SIZE + row + i) * N + left + col + j] = acc[i][j];
}
