// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_16x16 by hand: asynchronous copies of 16 bytes, four stages of 32 of K each, A read as
// float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int TILE = 16;
constexpr int SK = 32; // of K per stage
constexpr int STAGES = 4;

__global__ void __launch_bounds__(TILE *TILE)
    sgemm_16x16(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                int N, int K) {
  __shared__ __align__(16) float As[STAGES][TILE * SK];
  __shared__ __align__(16) float Bs[STAGES][SK * TILE];

  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * TILE + tx;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  const int tiles = (K + SK - 1) / SK;
  // One half of the threads copies A, the other one B.
  const int i = tid % 128;
  const int at = tid < 128 ? i % 8 * 4 : i / 4; // in K
  const float *from = tid < 128 ? &A[(blockIdx.y * TILE + i / 8) * K + at]
                                : &B[at * N + blockIdx.x * TILE + i % 4 * 4];
  const int step = tid < 128 ? SK : SK * N;
  float *to = tid < 128 ? &As[0][i * 4] : &Bs[0][i * 4];
  auto fetch = [&](int tile) {
    if (tile * SK + at < K)
      __pipeline_memcpy_async(to + tile % STAGES * TILE * SK, from + tile * step, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &As[t % STAGES][ty * SK], *bs = &Bs[t % STAGES][tx];
#pragma unroll
    for (int half = 0; half < SK; half += TILE) {
      if (t * SK + half >= K)
        break;
#pragma unroll
      for (int k = half; k < half + TILE; k += 4) {
        const float4 a = *reinterpret_cast<const float4 *>(&as[k]);
        sum += a.x * bs[k * TILE];
        sum += a.y * bs[(k + 1) * TILE];
        sum += a.z * bs[(k + 2) * TILE];
        sum += a.w * bs[(k + 3) * TILE];
      }
    }
  }
  C[row * N + col] = sum;
}
