// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// attention_64 by hand: asynchronous copies of keys and values, four stages, one barrier per tile.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int THREADS = 128; // queries per block, one for each thread
constexpr int KEYS = 16;     // per tile
constexpr int DIM = 64;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    attention_64(const float *__restrict__ Q, const float *__restrict__ K,
                 const float *__restrict__ V, float *__restrict__ O, int n, float scale) {
  __shared__ __align__(16) float Ks[STAGES][KEYS * DIM];
  __shared__ __align__(16) float Vs[STAGES][KEYS * DIM];

  const int tid = threadIdx.x;
  const size_t head = static_cast<size_t>(blockIdx.y) * n * DIM;
  const size_t own =
      (static_cast<size_t>(blockIdx.y * gridDim.x + blockIdx.x) * THREADS + tid) * DIM;

  float q[DIM], o[DIM];
  for (int d = 0; d < DIM; ++d) {
    q[d] = Q[own + d] * scale;
    o[d] = 0.0f;
  }
  float most = -1e30f, sum = 0.0f;
  const int tiles = n / KEYS;

  auto fetch = [&](int tile) {
#pragma unroll
    for (int i = 0; i < KEYS * DIM / 4; i += THREADS) {
      const int at = (tid + i) * 4;
      __pipeline_memcpy_async(&Ks[tile % STAGES][at], K + head + tile * KEYS * DIM + at, 16);
      __pipeline_memcpy_async(&Vs[tile % STAGES][at], V + head + tile * KEYS * DIM + at, 16);
    }
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *keys = Ks[t % STAGES], *values = Vs[t % STAGES];
    float s[KEYS];
    float m = most;
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      float dot = 0.0f;
#pragma unroll
      for (int d = 0; d < DIM; ++d)
        dot = fmaf(q[d], keys[j * DIM + d], dot);
      s[j] = dot;
      m = fmaxf(m, dot);
    }
    const float shrink = __expf(most - m);
#pragma unroll
    for (int d = 0; d < DIM; ++d)
      o[d] *= shrink;
    float part = 0.0f;
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      const float p = __expf(s[j] - m);
      part += p;
#pragma unroll
      for (int d = 0; d < DIM; ++d)
        o[d] = fmaf(p, values[j * DIM + d], o[d]);
    }
    sum = fmaf(sum, shrink, part);
    most = m;
  }
#pragma unroll
  for (int d = 0; d < DIM; d += 4)
    *reinterpret_cast<float4 *>(&O[own + d]) =
        make_float4(o[d] / sum, o[d + 1] / sum, o[d + 2] / sum, o[d + 3] / sum);
}
