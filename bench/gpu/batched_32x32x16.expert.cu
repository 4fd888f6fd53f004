// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// batched_32x32x16 by hand: asynchronous copies of 16 bytes, four stages, so that most products are
// in flight as a whole; padded rows of A that are read as float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int SIZE = 32; // rows and columns of C
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 2 x 2 elements each
constexpr int PITCH = BK + 4;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    batched_32x32x16(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[STAGES][SIZE * PITCH];
  __shared__ __align__(16) float Bs[STAGES][BK * SIZE];
  const int tid = threadIdx.x;
  const int row = tid / 16 * 2, col = tid % 16 * 2;
  const int tiles = K / BK;
  C += static_cast<size_t>(blockIdx.x) * SIZE * SIZE;
  // One half of the threads copies A, the other one B.
  const int i = tid % 128;
  const float *from = (tid < 128 ? A + i / 4 * K + i % 4 * 4 : B + i * 4) +
                      static_cast<size_t>(blockIdx.x) * SIZE * K;
  const int step = tid < 128 ? BK : BK * SIZE;
  auto fetch = [&](int tile) {
    float *to =
        tid < 128 ? &As[tile % STAGES][i / 4 * PITCH + i % 4 * 4] : &Bs[tile % STAGES][i * 4];
    __pipeline_memcpy_async(to, from + tile * step, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float acc[2][2] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &As[t % STAGES][row * PITCH], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
      float a[2][4];
      *reinterpret_cast<float4 *>(a[0]) = *reinterpret_cast<const float4 *>(&as[k4]);
      *reinterpret_cast<float4 *>(a[1]) = *reinterpret_cast<const float4 *>(&as[PITCH + k4]);
#pragma unroll
      for (int kk = 0; kk < 4; ++kk) {
        const float2 b = *reinterpret_cast<const float2 *>(&bs[(k4 + kk) * SIZE]);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          acc[r][0] += a[r][kk] * b.x;
          acc[r][1] += a[r][kk] * b.y;
        }
      }
    }
  }
#pragma unroll
  for (int r = 0; r < 2; ++r)
    *reinterpret_cast<float2 *>(&C[(row + r) * SIZE + col]) = make_float2(acc[r][0], acc[r][1]);
}
