// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: 2-D convolution with 3x3 taps, four input channels per tile, eight output channels per
// block, guarded loads of one float.
// Expected limit: FFMA and reads of shared memory; the guards cost many integer instructions per
// load.
#include <cuda_runtime.h>

constexpr int BX = 32; // places of the output per block
constexpr int BY = 8;
constexpr int THREADS = BX * BY;
constexpr int CHANNELS = 4; // of the input, per tile
constexpr int GROUP = 8;    // channels of the output

// taps: for each group and input channel 9 times GROUP numbers. width is a multiple of BX, height
// of BY, inputs of CHANNELS.
__global__ void __launch_bounds__(THREADS)
    conv2d_3x3(const float *__restrict__ in, const float *__restrict__ taps,
               float *__restrict__ out, int width, int height, int inputs) {
  __shared__ float tile[CHANNELS][BY + 2][BX + 2];
  __shared__ float weights[CHANNELS][9][GROUP];
  const int tx = threadIdx.x % BX, ty = threadIdx.x / BX;
  const int left = blockIdx.x * BX, top = blockIdx.y * BY;
  const float *groupTaps = taps + blockIdx.z * inputs * 9 * GROUP;

  float sum[GROUP] = {};
  for (int c = 0; c < inputs; c += CHANNELS) {
    for (int k = 0; k < CHANNELS; ++k)
      for (int i = threadIdx.x; i < (BY + 2) * (BX + 2); i += THREADS) {
        const int r = i / (BX + 2), s = i % (BX + 2);
        const int y = top + r - 1, x = left + s - 1;
        tile[k][r][s] = x >= 0 && x < width && y >= 0 && y < height
                            ? in[((c + k) * height + y) * width + x]
                            : 0.0f;
      }
    for (int i = threadIdx.x; i < CHANNELS * 9 * GROUP; i += THREADS)
      weights[i / (9 * GROUP)][i / GROUP % 9][i % GROUP] = groupTaps[c * 9 * GROUP + i];
    __syncthreads();

#pragma unroll
    for (int k = 0; k < CHANNELS; ++k)
#pragma unroll
      for (int t = 0; t < 9; ++t) {
        const float value = tile[k][ty + t / 3][tx + t % 3];
#pragma unroll
        for (int o = 0; o < GROUP; ++o)
          sum[o] += value * weights[k][t][o];
      }
    __syncthreads();
  }

  for (int o = 0; o < GROUP; ++o)
    out[((blockIdx.z * GROUP + o) * height + top + ty) * width + left + tx] = sum[o];
}
