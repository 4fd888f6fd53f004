// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cgemm_32x32x16 by hand: asynchronous copies of 16 bytes, four stages, two elements of A and of B
// per read.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int TILE = 32; // rows and columns of C per block
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 2 x 2 elements each

__device__ __forceinline__ void multiplyAdd(float2 &c, float2 a, float2 b) {
  c.x = fmaf(a.x, b.x, c.x);
  c.x = fmaf(-a.y, b.y, c.x);
  c.y = fmaf(a.x, b.y, c.y);
  c.y = fmaf(a.y, b.x, c.y);
}

constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    cgemm_32x32x16(const float2 *__restrict__ A, const float2 *__restrict__ B,
                   float2 *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float2 As[STAGES][TILE * BK];
  __shared__ __align__(16) float2 Bs[STAGES][BK * TILE];
  const int tid = threadIdx.x;
  const int row = tid / 16 * 2, col = tid % 16 * 2;
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  const int tiles = K / BK;
  A += (top + tid / 8) * K + tid % 8 * 2;
  B += tid / 16 * N + left + tid % 16 * 2;

  auto fetch = [&](int tile) {
    __pipeline_memcpy_async(&As[tile % STAGES][tid * 2], A + tile * BK, 16);
    __pipeline_memcpy_async(&Bs[tile % STAGES][tid * 2], B + tile * BK * N, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float2 acc[2][2] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float2 *as = &As[t % STAGES][row * BK], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int kk = 0; kk < BK; kk += 2) {
      float4 a[2], b[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        a[i] = *reinterpret_cast<const float4 *>(&as[i * BK + kk]);
        b[i] = *reinterpret_cast<const float4 *>(&bs[(kk + i) * TILE]);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        multiplyAdd(acc[i][0], make_float2(a[i].x, a[i].y), make_float2(b[0].x, b[0].y));
        multiplyAdd(acc[i][1], make_float2(a[i].x, a[i].y), make_float2(b[0].z, b[0].w));
        multiplyAdd(acc[i][0], make_float2(a[i].z, a[i].w), make_float2(b[1].x, b[1].y));
        multiplyAdd(acc[i][1], make_float2(a[i].z, a[i].w), make_float2(b[1].z, b[1].w));
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
    *reinterpret_cast<float4 *>(&C[(top + row + i) * N + left + col]) =
        make_float4(acc[i][0].x, acc[i][0].y, acc[i][1].x, acc[i][1].y);
}
