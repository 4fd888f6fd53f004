// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_16x16 by hand: asynchronous copies of 16 bytes, four stages of 32 of K each; all threads
// copy, and a quarter of them computes, 2x2 elements each, which takes a third of the reads of
// shared memory.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int TILE = 16;
constexpr int SK = 32; // of K per stage
constexpr int PITCH = SK + 4;
constexpr int STAGES = 4;

// Four steps of K for two rows of A and two columns of B.
__device__ __forceinline__ void multiplyAdd(float (&sum)[2][2], const float *as, const float *bs) {
  float a[2][4];
  *reinterpret_cast<float4 *>(a[0]) = *reinterpret_cast<const float4 *>(as);
  *reinterpret_cast<float4 *>(a[1]) = *reinterpret_cast<const float4 *>(as + PITCH);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float2 b = *reinterpret_cast<const float2 *>(&bs[k * TILE]);
    sum[0][0] += a[0][k] * b.x;
    sum[0][1] += a[0][k] * b.y;
    sum[1][0] += a[1][k] * b.x;
    sum[1][1] += a[1][k] * b.y;
  }
}

__global__ void __launch_bounds__(TILE *TILE, 8)
    sgemm_16x16(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                int N, int K) {
  __shared__ __align__(16) float As[STAGES][TILE * PITCH];
  __shared__ __align__(16) float Bs[STAGES][SK * TILE];

  const int tid = threadIdx.y * TILE + threadIdx.x;
  const int row = tid / (TILE / 2) * 2, col = tid % (TILE / 2) * 2;
  const bool computes = tid < TILE * TILE / 4;
  const int tiles = (K + SK - 1) / SK;
  // One half of the threads copies A, the other one B.
  const int i = tid % 128;
  const int at = tid < 128 ? i % 8 * 4 : i / 4; // in K
  const float *from = tid < 128 ? &A[(blockIdx.y * TILE + i / 8) * K + at]
                                : &B[at * N + blockIdx.x * TILE + i % 4 * 4];
  const int step = tid < 128 ? SK : SK * N;
  float *to = tid < 128 ? &As[0][i / 8 * PITCH + at] : &Bs[0][i * 4];
  const int stage = tid < 128 ? TILE * PITCH : SK * TILE;
  auto fetch = [&](int tile) {
    if (tile * SK + at < K)
      __pipeline_memcpy_async(to + tile % STAGES * stage, from + tile * step, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float sum[2][2] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    if (computes) {
      const float *as = &As[t % STAGES][row * PITCH], *bs = &Bs[t % STAGES][col];
#pragma unroll
      for (int half = 0; half < SK; half += TILE) {
        if (t * SK + half >= K)
          break;
#pragma unroll
        for (int k = half; k < half + TILE; k += 4)
          multiplyAdd(sum, &as[k], &bs[k * TILE]);
      }
    }
  }
  if (computes) {
    float *to = &C[(blockIdx.y * TILE + row) * N + blockIdx.x * TILE + col];
    *reinterpret_cast<float2 *>(to) = make_float2(sum[0][0], sum[0][1]);
    *reinterpret_cast<float2 *>(to + N) = make_float2(sum[1][0], sum[1][1]);
  }
}
