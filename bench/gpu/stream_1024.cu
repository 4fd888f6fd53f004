// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: streaming, 1024 blocks, loads of 16 bytes through a shared tile, 68 multiply-adds per
// load.
// Expected limit: bandwidth of global memory, with the arithmetic close behind it; blocks hide each
// other's waits.
#include <cuda_runtime.h>

constexpr int THREADS = 128;

// A polynomial of the own value in the neighbour's, of sixteen terms.
__device__ __forceinline__ float bend(float own, float next) {
  float p = own;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    p = fmaf(p, next, own);
  return p;
}

__global__ void __launch_bounds__(THREADS)
    stream_1024(const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[THREADS];
  const int tid = threadIdx.x;
  const float4 *from = in + static_cast<size_t>(blockIdx.x) * tiles * THREADS;

  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[tid] = from[t * THREADS + tid];
    __syncthreads();
    const float4 own = tile[tid], next = tile[(tid + 1) % THREADS];
    sum += bend(own.x, next.x);
    sum += bend(own.y, next.y);
    sum += bend(own.z, next.z);
    sum += bend(own.w, next.w);
    __syncthreads();
  }
  out[blockIdx.x * THREADS + tid] = sum;
}
