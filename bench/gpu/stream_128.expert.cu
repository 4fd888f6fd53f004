// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream_128 by hand: asynchronous copies, three stages of four tiles each (48 KB), one barrier for
// four tiles.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int GROUP = 4; // tiles per stage
constexpr int STAGES = 3;

__global__ void __launch_bounds__(THREADS)
    stream_128(const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[STAGES][GROUP][THREADS];
  const int tid = threadIdx.x;
  const float4 *from = in + static_cast<size_t>(blockIdx.x) * tiles * THREADS + tid;
  const int groups = (tiles + GROUP - 1) / GROUP;

  auto fetch = [&](int group) {
#pragma unroll
    for (int g = 0; g < GROUP; ++g)
      if (group * GROUP + g < tiles)
        __pipeline_memcpy_async(&tile[group % STAGES][g][tid], from + (group * GROUP + g) * THREADS,
                                16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < groups)
      fetch(t);
    __pipeline_commit();
  }

  float sum = 0.0f;
  for (int t = 0; t < groups; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < groups)
      fetch(t + STAGES - 1);
    __pipeline_commit();

#pragma unroll
    for (int g = 0; g < GROUP; ++g) {
      if (t * GROUP + g >= tiles)
        break;
      const float4 own = tile[t % STAGES][g][tid], next = tile[t % STAGES][g][(tid + 1) % THREADS];
      sum = fmaf(own.x, next.x, sum);
      sum = fmaf(own.y, next.y, sum);
      sum = fmaf(own.z, next.z, sum);
      sum = fmaf(own.w, next.w, sum);
    }
  }
  out[blockIdx.x * THREADS + tid] = sum;
}
