// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scan_rows_1024 by hand: asynchronous copies of 16 bytes, four stages; a thread copies what it
// reads itself, so that the only barrier of a tile is that of the totals, of which there are two
// sets.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int TILE = 4 * THREADS;
constexpr int STAGES = 4;

// The sum of the values of the lanes up to this one.
__device__ __forceinline__ int upToLane(int v, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d)
      v += other;
  }
  return v;
}

__global__ void __launch_bounds__(THREADS)
    scan_rows_1024(const int *__restrict__ in, int *__restrict__ out, int cols) {
  __shared__ __align__(16) int tile[STAGES][TILE];
  __shared__ __align__(16) int totals[2][THREADS / 32];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const size_t row = static_cast<size_t>(blockIdx.x) * cols;
  const int tiles = cols / TILE;

  auto fetch = [&](int t) {
    __pipeline_memcpy_async(&tile[t % STAGES][tid * 4], &in[row + t * TILE + tid * 4], 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  int running = 0;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    int4 v = *reinterpret_cast<const int4 *>(&tile[t % STAGES][tid * 4]);
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    const int sum = upToLane(v.w, lane);
    if (lane == 31)
      totals[t % 2][warp] = sum;
    __syncthreads();
    int before = running + sum - v.w;
#pragma unroll
    for (int w = 0; w < THREADS / 32; ++w) {
      const int total = totals[t % 2][w];
      if (w < warp)
        before += total;
      running += total;
    }
    *reinterpret_cast<int4 *>(&out[row + t * TILE + tid * 4]) =
        make_int4(before + v.x, before + v.y, before + v.z, before + v.w);
  }
}
