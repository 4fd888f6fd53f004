// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gemv_32x128 by hand: asynchronous copies, five stages of 64 columns each.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int ROWS = 32; // of A per block, eight per warp
constexpr int COLS = 64; // per stage
constexpr int THREADS = 128;
constexpr int STAGES = 5;

__global__ void __launch_bounds__(THREADS)
    gemv_32x128(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y,
                int N) {
  __shared__ __align__(16) float As[STAGES][ROWS * COLS];
  __shared__ __align__(16) float xs[STAGES][COLS];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int tiles = N / COLS;
  const int row = tid / (COLS / 4), col = tid % (COLS / 4) * 4;
  const float *from = A + (static_cast<size_t>(blockIdx.x) * ROWS + row) * N + col;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES;
#pragma unroll
    for (int r = 0; r < ROWS; r += THREADS / (COLS / 4))
      __pipeline_memcpy_async(&As[stage][(row + r) * COLS + col], from + r * N + tile * COLS, 16);
    if (tid < COLS / 4)
      __pipeline_memcpy_async(&xs[stage][tid * 4], x + tile * COLS + tid * 4, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float sum[8] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &As[t % STAGES][warp * 8 * COLS + lane];
#pragma unroll
    for (int c = 0; c < COLS; c += 32) {
      const float v = xs[t % STAGES][c + lane];
#pragma unroll
      for (int r = 0; r < 8; ++r)
        sum[r] += as[r * COLS + c] * v;
    }
  }

#pragma unroll
  for (int r = 0; r < 8; ++r) {
    for (int d = 16; d > 0; d /= 2)
      sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], d);
    if (lane == 0)
      y[blockIdx.x * ROWS + warp * 8 + r] = sum[r];
  }
}
