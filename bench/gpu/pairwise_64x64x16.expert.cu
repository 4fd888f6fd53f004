// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pairwise_64x64x16 by hand: asynchronous copies, four stages, of 16 bytes where the number of
// dimensions is a multiple of four and else of one float; padded rows that are read as float4
// without bank conflicts.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// Copies nothing and fills with zeros where there is false.
__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
}

constexpr int TILE = 64;     // points on both sides
constexpr int BK = 16;       // dimensions per step
constexpr int THREADS = 256; // 16 x 16, 4 x 4 pairs each
constexpr int PITCH = BK + 4;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    pairwise_64x64x16(const float *__restrict__ X, const float *__restrict__ Y,
                      float *__restrict__ D, int M, int N, int dims) {
  __shared__ __align__(16) float Xs[STAGES][TILE * PITCH];
  __shared__ __align__(16) float Ys[STAGES][TILE * PITCH];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  const int tiles = (dims + BK - 1) / BK;
  const bool wide = dims % 4 == 0;

  auto fetch = [&](int tile) {
    float *xs = Xs[tile % STAGES], *ys = Ys[tile % STAGES];
    const int k = tile * BK;
    if (wide) {
      const int r = tid / 4, c = tid % 4 * 4;
      const bool x = top + r < M && k + c < dims, y = left + r < N && k + c < dims;
      copy16(&xs[r * PITCH + c], x ? &X[(top + r) * dims + k + c] : X, x);
      copy16(&ys[r * PITCH + c], y ? &Y[(left + r) * dims + k + c] : Y, y);
      return;
    }
    for (int i = tid; i < TILE * BK; i += THREADS) {
      const int r = i / BK, c = i % BK;
      if (top + r < M && k + c < dims)
        __pipeline_memcpy_async(&xs[r * PITCH + c], &X[(top + r) * dims + k + c], 4);
      else
        xs[r * PITCH + c] = 0.0f;
      if (left + r < N && k + c < dims)
        __pipeline_memcpy_async(&ys[r * PITCH + c], &Y[(left + r) * dims + k + c], 4);
      else
        ys[r * PITCH + c] = 0.0f;
    }
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float acc[4][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *xs = &Xs[t % STAGES][ty * PITCH], *ys = &Ys[t % STAGES][tx * PITCH];
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
      float x[4][4], y[4][4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        *reinterpret_cast<float4 *>(x[i]) =
            *reinterpret_cast<const float4 *>(&xs[16 * i * PITCH + k4]);
        *reinterpret_cast<float4 *>(y[i]) =
            *reinterpret_cast<const float4 *>(&ys[16 * i * PITCH + k4]);
      }
#pragma unroll
      for (int kk = 0; kk < 4; ++kk)
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            const float d = x[i][kk] - y[j][kk];
            acc[i][j] = fmaf(d, d, acc[i][j]);
          }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = top + ty + 16 * i, col = left + tx + 16 * j;
      if (row < M && col < N)
        D[row * N + col] = acc[i][j];
    }
}
