// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: streaming reduction, 128 blocks, loads of 16 bytes through a shared tile, four multiply-
// adds per load.
// Expected limit: bandwidth of global memory; one tile per block in flight is far too little to
// reach it.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

// A block has a stretch of tiles; each element meets its right neighbour in the tile.
__global__ void __launch_bounds__(THREADS)
    stream_128(const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[THREADS];
  const int tid = threadIdx.x;
  const float4 *from = in + static_cast<size_t>(blockIdx.x) * tiles * THREADS;

  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[tid] = from[t * THREADS + tid];
    __syncthreads();
    const float4 own = tile[tid], next = tile[(tid + 1) % THREADS];
    sum = fmaf(own.x, next.x, sum);
    sum = fmaf(own.y, next.y, sum);
    sum = fmaf(own.z, next.z, sum);
    sum = fmaf(own.w, next.w, sum);
    __syncthreads();
  }
  out[blockIdx.x * THREADS + tid] = sum;
}
