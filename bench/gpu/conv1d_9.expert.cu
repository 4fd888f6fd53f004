// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// conv1d_9 by hand: asynchronous copies, four stages, of 16 bytes where the length is a multiple of
// four and else of one float; the weights are read as float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// Copies nothing and fills with zeros where there is false.
__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
}

constexpr int THREADS = 128; // places in x
constexpr int RADIUS = 4;
constexpr int TAPS = 2 * RADIUS + 1;
constexpr int CHANNELS = 4; // of the input, per tile
constexpr int GROUP = 8;    // channels of the output
constexpr int ROW = THREADS + 2 * RADIUS;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    conv1d_9(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out,
             int length, int inputs) {
  __shared__ __align__(16) float rows[STAGES][CHANNELS * ROW];
  __shared__ __align__(16) float weights[STAGES][CHANNELS * TAPS * GROUP];
  const int tid = threadIdx.x;
  const int first = blockIdx.x * THREADS;
  const float *groupTaps = taps + blockIdx.y * inputs * TAPS * GROUP;
  const int tiles = inputs / CHANNELS;
  const bool wide = length % 4 == 0;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES;
    const float *from = in + tile * CHANNELS * length;
    if (wide) {
      for (int i = tid; i < CHANNELS * ROW / 4; i += THREADS) {
        const int x = first + i % (ROW / 4) * 4 - RADIUS;
        const bool there = x >= 0 && x < length;
        copy16(&rows[stage][i * 4], there ? &from[i / (ROW / 4) * length + x] : in, there);
      }
    } else {
      for (int i = tid; i < CHANNELS * ROW; i += THREADS) {
        const int x = first + i % ROW - RADIUS;
        if (x >= 0 && x < length)
          __pipeline_memcpy_async(&rows[stage][i], &from[i / ROW * length + x], 4);
        else
          rows[stage][i] = 0.0f;
      }
    }
    for (int i = tid; i < CHANNELS * TAPS * GROUP / 4; i += THREADS)
      __pipeline_memcpy_async(&weights[stage][i * 4],
                              &groupTaps[tile * CHANNELS * TAPS * GROUP + i * 4], 16);
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

    const float *values = &rows[t % STAGES][tid];
    const float4 *factors = reinterpret_cast<const float4 *>(weights[t % STAGES]);
#pragma unroll
    for (int k = 0; k < CHANNELS; ++k)
#pragma unroll
      for (int tap = 0; tap < TAPS; ++tap) {
        const float value = values[k * ROW + tap];
        const float4 low = factors[(k * TAPS + tap) * 2], high = factors[(k * TAPS + tap) * 2 + 1];
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

  if (first + tid < length)
#pragma unroll
    for (int o = 0; o < GROUP; ++o)
      out[(blockIdx.y * GROUP + o) * length + first + tid] = sum[o];
}
