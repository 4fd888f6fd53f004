// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: 1-D convolution with nine taps, four input channels per tile, eight output channels per
// block.
// Expected limit: FFMA and reads of shared memory; loads of one float with a guard at both ends.
#include <cuda_runtime.h>

constexpr int THREADS = 128; // places in x
constexpr int RADIUS = 4;
constexpr int TAPS = 2 * RADIUS + 1;
constexpr int CHANNELS = 4; // of the input, per tile
constexpr int GROUP = 8;    // channels of the output
constexpr int ROW = THREADS + 2 * RADIUS;

// taps: for each group and input channel TAPS times GROUP numbers. inputs is a multiple of
// CHANNELS.
__global__ void __launch_bounds__(THREADS)
    conv1d_9(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out,
             int length, int inputs) {
  __shared__ float rows[CHANNELS][ROW];
  __shared__ float weights[CHANNELS * TAPS * GROUP];
  const int tid = threadIdx.x;
  const int first = blockIdx.x * THREADS;
  const float *groupTaps = taps + blockIdx.y * inputs * TAPS * GROUP;

  float sum[GROUP] = {};
  for (int c = 0; c < inputs; c += CHANNELS) {
    for (int i = tid; i < CHANNELS * ROW; i += THREADS) {
      const int x = first + i % ROW - RADIUS;
      rows[i / ROW][i % ROW] = x >= 0 && x < length ? in[(c + i / ROW) * length + x] : 0.0f;
    }
    for (int i = tid; i < CHANNELS * TAPS * GROUP; i += THREADS)
      weights[i] = groupTaps[c * TAPS * GROUP + i];
    __syncthreads();

#pragma unroll
    for (int k = 0; k < CHANNELS; ++k)
#pragma unroll
      for (int t = 0; t < TAPS; ++t) {
        const float value = rows[k][tid + t];
#pragma unroll
        for (int o = 0; o < GROUP; ++o)
          sum[o] += value * weights[(k * TAPS + t) * GROUP + o];
      }
    __syncthreads();
  }

  if (first + tid < length)
    for (int o = 0; o < GROUP; ++o)
      out[(blockIdx.y * GROUP + o) * length + first + tid] = sum[o];
}
