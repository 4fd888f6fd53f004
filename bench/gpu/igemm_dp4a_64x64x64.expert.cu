// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// igemm_dp4a_64x64x64 by hand: asynchronous copies of 16 bytes, four stages, padded rows that are
// read four words at a time without bank conflicts.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int TILE = 64;     // rows and columns of C per block
constexpr int BK = 16;       // words of four bytes of K per step
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each
constexpr int PITCH = BK + 4;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    igemm_dp4a_64x64x64(const int *__restrict__ A, const int *__restrict__ B, int *__restrict__ C,
                        int N, int K) {
  __shared__ __align__(16) int As[STAGES][TILE * PITCH];
  __shared__ __align__(16) int Bs[STAGES][TILE * PITCH];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  const int row = tid / 4, col = tid % 4 * 4;
  const int tiles = K / BK;
  A += (top + row) * K + col;
  B += (left + row) * K + col;

  auto fetch = [&](int tile) {
    __pipeline_memcpy_async(&As[tile % STAGES][row * PITCH + col], A + tile * BK, 16);
    __pipeline_memcpy_async(&Bs[tile % STAGES][row * PITCH + col], B + tile * BK, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  int acc[4][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const int *as = &As[t % STAGES][ty * PITCH], *bs = &Bs[t % STAGES][tx * PITCH];
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
      int4 a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[i] = *reinterpret_cast<const int4 *>(&as[16 * i * PITCH + k4]);
        b[i] = *reinterpret_cast<const int4 *>(&bs[16 * i * PITCH + k4]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          acc[i][j] = __dp4a(a[i].x, b[j].x, acc[i][j]);
          acc[i][j] = __dp4a(a[i].y, b[j].y, acc[i][j]);
          acc[i][j] = __dp4a(a[i].z, b[j].z, acc[i][j]);
          acc[i][j] = __dp4a(a[i].w, b[j].w, acc[i][j]);
        }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      C[(top + ty + 16 * i) * N + left + tx + 16 * j] = acc[i][j];
}
