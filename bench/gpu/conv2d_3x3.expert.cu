// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// conv2d_3x3 by hand: asynchronous copies of 16 bytes with a halo of 16 bytes on both sides, three
// stages; four places and two channels per thread, so that eighteen values serve 72 multiply-adds.
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
constexpr int CHUNKS = (CHANNELS * PLANE / 4 + THREADS - 1) / THREADS; // per thread
constexpr int STAGES = 3;

__global__ void __launch_bounds__(THREADS)
    conv2d_3x3(const float *__restrict__ in, const float *__restrict__ taps,
               float *__restrict__ out, int width, int height, int inputs) {
  __shared__ __align__(16) float tile[STAGES][CHANNELS * PLANE];
  __shared__ __align__(16) float weights[STAGES][CHANNELS * 9 * GROUP];
  const int tid = threadIdx.x;
  const int left = blockIdx.x * BX, top = blockIdx.y * BY;
  const int channel = tid % 4 * 2, own = tid / 4 % (BX / 4) * 4, row = tid / BX;
  const float *groupTaps = taps + blockIdx.z * inputs * 9 * GROUP;
  const int tiles = inputs / CHANNELS;

  // What a thread copies lies at the same places of all tiles.
  int offset[CHUNKS];
  bool there[CHUNKS];
#pragma unroll
  for (int n = 0; n < CHUNKS; ++n) {
    const int i = tid + n * THREADS;
    const int k = i / (PLANE / 4), r = i / (ROW / 4) % (BY + 2), s = i % (ROW / 4) * 4;
    const int y = top + r - 1, x = left + s - 4;
    there[n] = x >= 0 && x < width && y >= 0 && y < height;
    offset[n] = (k * height + y) * width + x;
  }
  auto fetch = [&](int t) {
    const int stage = t % STAGES;
    const float *from = in + static_cast<size_t>(t) * CHANNELS * height * width;
#pragma unroll
    for (int n = 0; n < CHUNKS; ++n) {
      const int i = tid + n * THREADS;
      if (i < CHANNELS * PLANE / 4)
        copy16(&tile[stage][i * 4], there[n] ? from + offset[n] : in, there[n]);
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

  float sum[2][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

#pragma unroll
    for (int k = 0; k < CHANNELS; ++k)
#pragma unroll
      for (int dy = 0; dy < 3; ++dy) {
        const float *from = &tile[t % STAGES][k * PLANE + (row + dy) * ROW + own];
        float value[6];
        const float4 middle = *reinterpret_cast<const float4 *>(&from[4]);
        value[0] = from[3];
        value[1] = middle.x;
        value[2] = middle.y;
        value[3] = middle.z;
        value[4] = middle.w;
        value[5] = from[8];
#pragma unroll
        for (int dx = 0; dx < 3; ++dx) {
          const float2 w = *reinterpret_cast<const float2 *>(
              &weights[t % STAGES][(k * 9 + dy * 3 + dx) * GROUP + channel]);
#pragma unroll
          for (int x = 0; x < 4; ++x) {
            sum[0][x] += value[x + dx] * w.x;
            sum[1][x] += value[x + dx] * w.y;
          }
        }
      }
  }

#pragma unroll
  for (int o = 0; o < 2; ++o)
    *reinterpret_cast<float4 *>(
        &out[((blockIdx.z * GROUP + channel + o) * height + top + row) * width + left + own]) =
        make_float4(sum[o][0], sum[o][1], sum[o][2], sum[o][3]);
}
