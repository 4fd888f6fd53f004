// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: histogram without atomics: a tile of bytes is read by all, and each thread counts those
// of one of 64 bins.
// Expected limit: integer instructions; a loaded word is compared by all threads.
#include <cuda_runtime.h>

constexpr int THREADS = 128; // two for each bin
constexpr int BINS = 64;     // of the low six bits
constexpr int WORDS = 256;   // per tile

// A block counts a stretch of tiles; the counts of the blocks are summed up elsewhere.
__global__ void __launch_bounds__(THREADS)
    histogram_64(const unsigned *__restrict__ in, int *__restrict__ counts, int tiles) {
  __shared__ unsigned tile[WORDS];
  __shared__ int halves[THREADS];
  const int tid = threadIdx.x;
  const unsigned bin = tid % BINS;
  const int begin = tid / BINS * (WORDS / 2);
  const unsigned *from = in + static_cast<size_t>(blockIdx.x) * tiles * WORDS;

  int count = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tid; i < WORDS; i += THREADS)
      tile[i] = from[t * WORDS + i];
    __syncthreads();
#pragma unroll 8
    for (int i = begin; i < begin + WORDS / 2; ++i) {
      const unsigned word = tile[i];
      count += (word & 63) == bin;
      count += (word >> 8 & 63) == bin;
      count += (word >> 16 & 63) == bin;
      count += (word >> 24 & 63) == bin;
    }
    __syncthreads();
  }
  halves[tid] = count;
  __syncthreads();
  if (tid < BINS)
    counts[blockIdx.x * BINS + tid] = halves[tid] + halves[tid + BINS];
}
