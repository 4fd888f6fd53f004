// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: high occupancy. Five-point smoothing, memory-bound, 64 warps per multiprocessor, loads of
// one float with halo.
// Expected limit: bandwidth of global memory, which so many warps reach nearly by themselves.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int RADIUS = 2;

// A block has a stretch of tiles; past the ends of the array are zeros.
__global__ void __launch_bounds__(THREADS, 8)
    smooth_2048(const float *__restrict__ in, float *__restrict__ out, int n, int tiles) {
  __shared__ float tile[THREADS + 2 * RADIUS];
  const int tid = threadIdx.x;

  for (int t = 0; t < tiles; ++t) {
    const int first = (blockIdx.x * tiles + t) * THREADS;
    for (int i = tid; i < THREADS + 2 * RADIUS; i += THREADS) {
      const int x = first + i - RADIUS;
      tile[i] = x >= 0 && x < n ? in[x] : 0.0f;
    }
    __syncthreads();
    float v = 0.4f * tile[tid + 2];
    v = fmaf(0.2f, tile[tid + 1], v);
    v = fmaf(0.2f, tile[tid + 3], v);
    v = fmaf(0.1f, tile[tid], v);
    v = fmaf(0.1f, tile[tid + 4], v);
    if (first + tid < n)
      out[first + tid] = v;
    __syncthreads();
  }
}
