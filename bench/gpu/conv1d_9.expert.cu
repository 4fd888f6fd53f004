// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// conv1d_9 by hand: asynchronous copies, four stages, of 16 bytes where the length is a multiple of
// four and else of one float; four places and two channels per thread, so that twelve values serve
// 72 multiply-adds.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// Copies nothing and fills with zeros where there is false.
__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
}

constexpr int THREADS = 128; // and as many places in x
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
  const int own = tid / 4 * 4, channel = tid % 4 * 2;
  const float *groupTaps = taps + blockIdx.y * inputs * TAPS * GROUP;
  const int tiles = inputs / CHANNELS;
  const bool wide = length % 4 == 0;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES;
    const float *from = in + tile * CHANNELS * length;
    if (wide) {
#pragma unroll
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
    if (tid < CHANNELS * TAPS * GROUP / 4)
      __pipeline_memcpy_async(&weights[stage][tid * 4],
                              &groupTaps[tile * CHANNELS * TAPS * GROUP + tid * 4], 16);
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
    for (int k = 0; k < CHANNELS; ++k) {
      float value[12];
#pragma unroll
      for (int i = 0; i < 12; i += 4)
        *reinterpret_cast<float4 *>(&value[i]) =
            *reinterpret_cast<const float4 *>(&rows[t % STAGES][k * ROW + own + i]);
#pragma unroll
      for (int tap = 0; tap < TAPS; ++tap) {
        const float2 w = *reinterpret_cast<const float2 *>(
            &weights[t % STAGES][(k * TAPS + tap) * GROUP + channel]);
#pragma unroll
        for (int x = 0; x < 4; ++x) {
          sum[0][x] += value[x + tap] * w.x;
          sum[1][x] += value[x + tap] * w.y;
        }
      }
    }
  }

#pragma unroll
  for (int o = 0; o < 2; ++o) {
    const int x = first + own;
    float *to = &out[(blockIdx.y * GROUP + channel + o) * length + x];
    if (wide && x < length) {
      *reinterpret_cast<float4 *>(to) = make_float4(sum[o][0], sum[o][1], sum[o][2], sum[o][3]);
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (x + i < length)
          to[i] = sum[o][i];
    }
  }
}
