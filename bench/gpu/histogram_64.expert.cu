// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// histogram_64 by hand: asynchronous copies of 16 bytes, three stages of two tiles each, words read
// four at a time and compared as a whole, four counts in a word.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int THREADS = 128; // two for each bin
constexpr int BINS = 64;     // of the low six bits
constexpr int WORDS = 256;   // per tile
constexpr int GROUP = 2;     // tiles per stage
constexpr int STAGES = 3;

// A one in each byte of word whose low bits are the bin: there x is zero, and x + 0x7f has no high
// bit.
__device__ __forceinline__ unsigned found(unsigned word, unsigned bins) {
  const unsigned x = (word & 0x3f3f3f3fu) ^ bins;
  return (~(x + 0x7f7f7f7fu) & 0x80808080u) >> 7;
}

__global__ void __launch_bounds__(THREADS)
    histogram_64(const unsigned *__restrict__ in, int *__restrict__ counts, int tiles) {
  __shared__ __align__(16) unsigned tile[STAGES][GROUP * WORDS];
  __shared__ int halves[THREADS];
  const int tid = threadIdx.x;
  const unsigned bins = tid % BINS * 0x01010101u;
  const int begin = tid / BINS * (WORDS / 2);
  const unsigned *from = in + static_cast<size_t>(blockIdx.x) * tiles * WORDS + tid * 4;
  const int groups = (tiles + GROUP - 1) / GROUP;

  // One half of the threads copies the first tile of a stage, the other one the second.
  auto fetch = [&](int group) {
    if (group * GROUP + tid / (WORDS / 4) < tiles)
      __pipeline_memcpy_async(&tile[group % STAGES][tid * 4], from + group * GROUP * WORDS, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < groups)
      fetch(t);
    __pipeline_commit();
  }

  unsigned count = 0;
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
      const uint4 *words = reinterpret_cast<const uint4 *>(&tile[t % STAGES][g * WORDS + begin]);
      // A byte counts 128 words at most.
      unsigned four = 0;
#pragma unroll 8
      for (int i = 0; i < WORDS / 8; ++i) {
        const uint4 w = words[i];
        four += found(w.x, bins);
        four += found(w.y, bins);
        four += found(w.z, bins);
        four += found(w.w, bins);
      }
      count = __dp4a(four, 0x01010101u, count);
    }
  }
  halves[tid] = static_cast<int>(count);
  __syncthreads();
  if (tid < BINS)
    counts[blockIdx.x * BINS + tid] = halves[tid] + halves[tid + BINS];
}
