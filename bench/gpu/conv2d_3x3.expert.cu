// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// conv2d_3x3 by hand: asynchronous copies of 16 bytes with a halo of 16 bytes on both sides, three
// stages, the weights are read as float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// Copies nothing and fills with zeros where there is false.
__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
}

constexpr int BX = 32; // places of the output per block
constexpr int BY = 8;
constexpr int THREADS = BX * BY;
constexpr int CHANNELS = 4; // of the input, per tile
constexpr int GROUP = 8;    // channels of the output
constexpr int ROW = BX + 8; // with a halo of four floats on both sides
constexpr int PLANE = (BY + 2) * ROW;
constexpr int STAGES = 3;

__global__ void __launch_bounds__(THREADS)
    conv2d_3x3(const float *__restrict__ in, const float *__restrict__ taps,
               float *__restrict__ out, int width, int height, int inputs) {
  __shared__ __align__(16) float tile[STAGES][CHANNELS * PLANE];
  __shared__ __align__(16) float weights[STAGES][CHANNELS * 9 * GROUP];
  const int tid = threadIdx.x, tx = tid % BX, ty = tid / BX;
  const int left = blockIdx.x * BX, top = blockIdx.y * BY;
  const float *groupTaps = taps + blockIdx.z * inputs * 9 * GROUP;
  const int tiles = inputs / CHANNELS;

  auto fetch = [&](int t) {
    const int stage = t % STAGES;
    for (int i = tid; i < CHANNELS * PLANE / 4; i += THREADS) {
      const int k = i / (PLANE / 4), r = i / (ROW / 4) % (BY + 2), s = i % (ROW / 4) * 4;
      const int y = top + r - 1, x = left + s - 4;
      const bool there = x >= 0 && x < width && y >= 0 && y < height;
      copy16(&tile[stage][i * 4], there ? &in[((t * CHANNELS + k) * height + y) * width + x] : in,
             there);
    }
    if (tid < CHANNELS * 9 * GROUP / 4)
      __pipeline_memcpy_async(&weights[stage][tid * 4],
                              &groupTaps[t * CHANNELS * 9 * GROUP + tid * 4], 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float sum[GROUP] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *values = &tile[t % STAGES][ty * ROW + tx + 3];
    const float4 *factors = reinterpret_cast<const float4 *>(weights[t % STAGES]);
#pragma unroll
    for (int k = 0; k < CHANNELS; ++k)
#pragma unroll
      for (int tap = 0; tap < 9; ++tap) {
        const float value = values[k * PLANE + tap / 3 * ROW + tap % 3];
        const float4 low = factors[(k * 9 + tap) * 2], high = factors[(k * 9 + tap) * 2 + 1];
        sum[0] += value * low.x;
        sum[1] += value * low.y;
        sum[2] += value * low.z;
        sum[3] += value * low.w;
        sum[4] += value * high.x;
        sum[5] += value * high.y;
        sum[6] += value * high.z;
        sum[7] += value * high.w;
      }
  }

#pragma unroll
  for (int o = 0; o < GROUP; ++o)
    out[((blockIdx.z * GROUP + o) * height + top + ty) * width + left + tx] = sum[o];
}
