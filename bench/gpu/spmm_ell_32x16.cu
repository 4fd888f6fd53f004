// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: sparse times dense matrix. Rows of equal length (ELL), 32 columns of the dense matrix,
// entries and their columns by tiles.
// Expected limit: the gathers of rows of the dense matrix from the L2 cache, which wait for the
// tile's columns.
#include <cuda_runtime.h>

constexpr int COLS = 32;     // of the dense matrix
constexpr int ROWS = 32;     // per block
constexpr int WIDTH = 16;    // entries of a row per tile
constexpr int THREADS = 256; // a warp has four rows

// width is a multiple of WIDTH.
__global__ void __launch_bounds__(THREADS)
    spmm_ell_32x16(const float *__restrict__ values, const int *__restrict__ columns,
                   const float *__restrict__ dense, float *__restrict__ out, int width) {
  __shared__ float vs[ROWS][WIDTH];
  __shared__ int cs[ROWS][WIDTH];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int first = blockIdx.x * ROWS;

  float sum[4] = {};
  for (int k = 0; k < width; k += WIDTH) {
    for (int i = tid; i < ROWS * WIDTH; i += THREADS) {
      vs[i / WIDTH][i % WIDTH] = values[(first + i / WIDTH) * width + k + i % WIDTH];
      cs[i / WIDTH][i % WIDTH] = columns[(first + i / WIDTH) * width + k + i % WIDTH];
    }
    __syncthreads();
#pragma unroll 4
    for (int e = 0; e < WIDTH; ++e)
#pragma unroll
      for (int r = 0; r < 4; ++r)
        sum[r] += vs[warp * 4 + r][e] * dense[cs[warp * 4 + r][e] * COLS + lane];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    out[(first + warp * 4 + r) * COLS + lane] = sum[r];
}
