// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nbody_256 by hand: asynchronous copies, three stages, one barrier per tile.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__device__ __forceinline__ void attract(float3 &acc, const float4 body, const float4 source) {
  const float dx = source.x - body.x, dy = source.y - body.y, dz = source.z - body.z;
  const float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 1e-4f)));
  const float inverse = rsqrtf(square);
  const float pull = source.w * inverse * inverse * inverse;
  acc.x = fmaf(pull, dx, acc.x);
  acc.y = fmaf(pull, dy, acc.y);
  acc.z = fmaf(pull, dz, acc.z);
}

constexpr int THREADS = 256;
constexpr int STAGES = 3;

__global__ void __launch_bounds__(THREADS)
    nbody_256(const float4 *__restrict__ bodies, const float4 *__restrict__ sources,
              float4 *__restrict__ out, int n) {
  __shared__ float4 tile[STAGES][THREADS];
  const int tid = threadIdx.x;
  const float4 body = bodies[blockIdx.x * THREADS + tid];
  const int tiles = n / THREADS;

  auto fetch = [&](int t) {
    __pipeline_memcpy_async(&tile[t % STAGES][tid], &sources[t * THREADS + tid], 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float3 acc = make_float3(0.0f, 0.0f, 0.0f);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float4 *from = tile[t % STAGES];
#pragma unroll 32
    for (int j = 0; j < THREADS; ++j)
      attract(acc, body, from[j]);
  }
  out[blockIdx.x * THREADS + tid] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}
