// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spmm_ell_32x16 by hand: asynchronous copies of 16 bytes, three stages, entries and columns read
// four at a time, sixteen gathers in flight per thread. A warp copies the rows that it sums up, so
// that there is no barrier of the block.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int COLS = 32;     // of the dense matrix
constexpr int ROWS = 32;     // per block
constexpr int WIDTH = 16;    // entries of a row per tile
constexpr int THREADS = 256; // a warp has four rows
constexpr int STAGES = 3;

__global__ void __launch_bounds__(THREADS)
    spmm_ell_32x16(const float *__restrict__ values, const int *__restrict__ columns,
                   const float *__restrict__ dense, float *__restrict__ out, int width) {
  __shared__ __align__(16) float vs[STAGES][ROWS * WIDTH];
  __shared__ __align__(16) int cs[STAGES][ROWS * WIDTH];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int first = blockIdx.x * ROWS + warp * 4;
  const int tiles = width / WIDTH;

  // Half of a warp copies entries, the other half columns: four rows of four chunks.
  const int row = lane % 16 / 4, col = lane % 4 * 4;
  auto fetch = [&](int tile) {
    const int from = (first + row) * width + tile * WIDTH + col,
              to = (warp * 4 + row) * WIDTH + col;
    if (lane < 16)
      __pipeline_memcpy_async(&vs[tile % STAGES][to], &values[from], 16);
    else
      __pipeline_memcpy_async(&cs[tile % STAGES][to], &columns[from], 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float sum[4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncwarp();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *v = &vs[t % STAGES][warp * 4 * WIDTH];
    const int *c = &cs[t % STAGES][warp * 4 * WIDTH];
#pragma unroll
    for (int e = 0; e < WIDTH; e += 4) {
      float value[4][4], other[4][4];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        *reinterpret_cast<float4 *>(value[r]) =
            *reinterpret_cast<const float4 *>(&v[r * WIDTH + e]);
        const int4 at = *reinterpret_cast<const int4 *>(&c[r * WIDTH + e]);
        other[r][0] = dense[at.x * COLS + lane];
        other[r][1] = dense[at.y * COLS + lane];
        other[r][2] = dense[at.z * COLS + lane];
        other[r][3] = dense[at.w * COLS + lane];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int r = 0; r < 4; ++r)
          sum[r] += value[r][i] * other[r][i];
    }
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
    out[(first + r) * COLS + lane] = sum[r];
}
