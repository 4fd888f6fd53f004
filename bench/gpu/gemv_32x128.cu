// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: matrix times vector by tiles, 32 rows of 128 columns, loads of float4, sums of lanes by
// shuffles.
// Expected limit: bandwidth of global memory.
#include <cuda_runtime.h>

constexpr int ROWS = 32; // of A per block, eight per warp
constexpr int COLS = 128;
constexpr int THREADS = 128;

__global__ void __launch_bounds__(THREADS)
    gemv_32x128(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y,
                int N) {
  __shared__ __align__(16) float As[ROWS][COLS];
  __shared__ __align__(16) float xs[COLS];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  A += static_cast<size_t>(blockIdx.x) * ROWS * N;

  float sum[8] = {};
  for (int k = 0; k < N; k += COLS) {
    for (int i = tid; i < ROWS * COLS / 4; i += THREADS) {
      const int r = i / (COLS / 4), c = i % (COLS / 4) * 4;
      *reinterpret_cast<float4 *>(&As[r][c]) = *reinterpret_cast<const float4 *>(&A[r * N + k + c]);
    }
    if (tid < COLS / 4)
      *reinterpret_cast<float4 *>(&xs[tid * 4]) =
          *reinterpret_cast<const float4 *>(&x[k + tid * 4]);
    __syncthreads();
#pragma unroll
    for (int c = 0; c < COLS; c += 32) {
      const float v = xs[c + lane];
#pragma unroll
      for (int r = 0; r < 8; ++r)
        sum[r] += As[warp * 8 + r][c + lane] * v;
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < 8; ++r) {
    for (int d = 16; d > 0; d /= 2)
      sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], d);
    if (lane == 0)
      y[blockIdx.x * ROWS + warp * 8 + r] = sum[r];
  }
}
