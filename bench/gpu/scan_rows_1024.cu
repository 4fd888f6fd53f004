// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: prefix sums of rows, a tile of 1024 elements with four neighbours per thread, warps by
// shuffles, a running sum.
// Expected limit: bandwidth of global memory; barriers and shuffles stand between its loads.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int TILE = 4 * THREADS;

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

// A block per row; cols is a multiple of TILE.
__global__ void __launch_bounds__(THREADS)
    scan_rows_1024(const int *__restrict__ in, int *__restrict__ out, int cols) {
  __shared__ __align__(16) int tile[TILE];
  __shared__ int totals[THREADS / 32];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const size_t row = static_cast<size_t>(blockIdx.x) * cols;

  int running = 0;
  for (int k = 0; k < cols; k += TILE) {
    for (int i = tid; i < TILE; i += THREADS)
      tile[i] = in[row + k + i];
    __syncthreads();
    int4 v = *reinterpret_cast<const int4 *>(&tile[tid * 4]);
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    const int sum = upToLane(v.w, lane);
    if (lane == 31)
      totals[warp] = sum;
    __syncthreads();
    int before = running + sum - v.w;
    for (int w = 0; w < THREADS / 32; ++w) {
      if (w < warp)
        before += totals[w];
      running += totals[w];
    }
    *reinterpret_cast<int4 *>(&out[row + k + tid * 4]) =
        make_int4(before + v.x, before + v.y, before + v.z, before + v.w);
    __syncthreads();
  }
}
