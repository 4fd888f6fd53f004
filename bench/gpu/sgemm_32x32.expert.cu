// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_32x32 by hand: asynchronous copies of 16 bytes, four stages, A read as float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int TILE = 32;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(TILE *TILE, 2)
    sgemm_32x32(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                int N, int K) {
  __shared__ __align__(16) float As[STAGES][TILE * TILE];
  __shared__ __align__(16) float Bs[STAGES][TILE * TILE];

  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * TILE + tx;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  const int tiles = K / TILE;
  // A quarter of the threads copies A, another one B.
  const int r = tid % 256 / 8, c = tid % 8 * 4;
  const float *from =
      tid < 256 ? &A[(blockIdx.y * TILE + r) * K + c] : &B[r * N + blockIdx.x * TILE + c];
  const int step = tid < 256 ? TILE : TILE * N;
  float *to = tid < 256 ? &As[0][tid * 4] : &Bs[0][tid % 256 * 4];
  auto fetch = [&](int tile) {
    if (tid < 512)
      __pipeline_memcpy_async(to + tile % STAGES * TILE * TILE, from + tile * step, 16);
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

    const float *as = &As[t % STAGES][ty * TILE], *bs = &Bs[t % STAGES][tx];
#pragma unroll
    for (int k = 0; k < TILE; k += 4) {
      const float4 a = *reinterpret_cast<const float4 *>(&as[k]);
      sum += a.x * bs[k * TILE];
      sum += a.y * bs[(k + 1) * TILE];
      sum += a.z * bs[(k + 2) * TILE];
      sum += a.w * bs[(k + 3) * TILE];
    }
  }
  C[row * N + col] = sum;
}
