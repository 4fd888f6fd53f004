// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: attention of one query per thread in fp32: scores with a tile of keys, a running softmax,
// sums of a tile of values.
// Expected limit: FFMA with operands from shared memory; eight warps per multiprocessor hide little
// by themselves.
#include <cuda_runtime.h>

constexpr int THREADS = 128; // queries per block, one for each thread
constexpr int KEYS = 16;     // per tile
constexpr int DIM = 64;

__global__ void __launch_bounds__(THREADS)
    attention_64(const float *__restrict__ Q, const float *__restrict__ K,
                 const float *__restrict__ V, float *__restrict__ O, int n, float scale) {
  __shared__ __align__(16) float Ks[KEYS * DIM];
  __shared__ __align__(16) float Vs[KEYS * DIM];

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

  for (int k = 0; k < n; k += KEYS) {
    for (int i = tid; i < KEYS * DIM / 4; i += THREADS) {
      reinterpret_cast<float4 *>(Ks)[i] = reinterpret_cast<const float4 *>(K + head + k * DIM)[i];
      reinterpret_cast<float4 *>(Vs)[i] = reinterpret_cast<const float4 *>(V + head + k * DIM)[i];
    }
    __syncthreads();

    float s[KEYS];
    float m = most;
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      float dot = 0.0f;
#pragma unroll
      for (int d = 0; d < DIM; ++d)
        dot = fmaf(q[d], Ks[j * DIM + d], dot);
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
        o[d] = fmaf(p, Vs[j * DIM + d], o[d]);
    }
    sum = fmaf(sum, shrink, part);
    most = m;
    __syncthreads();
  }
  for (int d = 0; d < DIM; ++d)
    O[own + d] = o[d] / sum;
}
