// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: nearest of many centroids (k-means), 16 dimensions, a point per thread, 64 centroids per
// tile.
// Expected limit: FFMA and FADD with operands from shared memory.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int TILE = 64; // centroids, four float4 each

__device__ __forceinline__ float distance(const float4 (&p)[4], const float4 (&c)[4]) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float x = p[i].x - c[i].x, y = p[i].y - c[i].y, z = p[i].z - c[i].z, w = p[i].w - c[i].w;
    sum = fmaf(x, x, sum);
    sum = fmaf(y, y, sum);
    sum = fmaf(z, z, sum);
    sum = fmaf(w, w, sum);
  }
  return sum;
}

// centroids is a multiple of TILE.
__global__ void __launch_bounds__(THREADS)
    nearest_64(const float4 *__restrict__ points, const float4 *__restrict__ all,
               int *__restrict__ nearest, int centroids) {
  __shared__ float4 tile[TILE * 4];
  const int tid = threadIdx.x;
  const int own = blockIdx.x * THREADS + tid;
  float4 point[4];
  for (int i = 0; i < 4; ++i)
    point[i] = points[own * 4 + i];

  float least = 3e38f;
  int which = -1;
  for (int first = 0; first < centroids; first += TILE) {
    tile[tid] = all[first * 4 + tid];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < TILE; ++j) {
      const float4 c[4] = {tile[j * 4], tile[j * 4 + 1], tile[j * 4 + 2], tile[j * 4 + 3]};
      const float d = distance(point, c);
      if (d < least) {
        least = d;
        which = first + j;
      }
    }
    __syncthreads();
  }
  nearest[own] = which;
}
