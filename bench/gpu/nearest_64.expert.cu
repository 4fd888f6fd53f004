// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nearest_64 by hand: asynchronous copies, four stages, one barrier per tile.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int TILE = 64; // centroids, four float4 each
constexpr int STAGES = 4;

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

__global__ void __launch_bounds__(THREADS)
    nearest_64(const float4 *__restrict__ points, const float4 *__restrict__ all,
               int *__restrict__ nearest, int centroids) {
  __shared__ float4 tile[STAGES][TILE * 4];
  const int tid = threadIdx.x;
  const int own = blockIdx.x * THREADS + tid;
  const int tiles = centroids / TILE;
  float4 point[4];
  for (int i = 0; i < 4; ++i)
    point[i] = points[own * 4 + i];

  auto fetch = [&](int t) {
    __pipeline_memcpy_async(&tile[t % STAGES][tid], &all[t * TILE * 4 + tid], 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float least = 3e38f;
  int which = -1;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float4 *from = tile[t % STAGES];
#pragma unroll 8
    for (int j = 0; j < TILE; ++j) {
      const float4 c[4] = {from[j * 4], from[j * 4 + 1], from[j * 4 + 2], from[j * 4 + 3]};
      const float d = distance(point, c);
      if (d < least) {
        least = d;
        which = t * TILE + j;
      }
    }
  }
  nearest[own] = which;
}
