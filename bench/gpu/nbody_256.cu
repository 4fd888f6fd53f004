// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: n-body, 256 sources per tile, one float4 per thread and step.
// Expected limit: arithmetic and reciprocal square roots; there is next to nothing to hide.
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

__global__ void __launch_bounds__(THREADS)
    nbody_256(const float4 *__restrict__ bodies, const float4 *__restrict__ sources,
              float4 *__restrict__ out, int n) {
  __shared__ float4 tile[THREADS];
  const int tid = threadIdx.x;
  const float4 body = bodies[blockIdx.x * THREADS + tid];

  float3 acc = make_float3(0.0f, 0.0f, 0.0f);
  for (int t = 0; t < n; t += THREADS) {
    tile[tid] = sources[t + tid];
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < THREADS; ++j)
      attract(acc, body, tile[j]);
    __syncthreads();
  }
  out[blockIdx.x * THREADS + tid] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}
