// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dgemm_64x64x16 by hand: asynchronous copies of 16 bytes, four stages of 8 of K each, padded rows
// of A that are read two doubles at a time, columns two by two, so that the reads of B do not
// collide.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 8;
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each
constexpr int PITCH = BK + 2;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS, 2)
    dgemm_64x64x16(const double *__restrict__ A, const double *__restrict__ B,
                   double *__restrict__ C, int N, int K) {
  __shared__ __align__(16) double As[STAGES][BM * PITCH];
  __shared__ __align__(16) double Bs[STAGES][BK * BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 2; // and 32 further on
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;
  const int aRow = tid / 4, aCol = tid % 4 * 2;
  const int bRow = tid / 32, bCol = tid % 32 * 2;
  const int tiles = K / BK;
  A += (blockRow + aRow) * K + aCol;
  B += bRow * N + blockCol + bCol;

  auto fetch = [&](int tile) {
    __pipeline_memcpy_async(&As[tile % STAGES][aRow * PITCH + aCol], A + tile * BK, 16);
    __pipeline_memcpy_async(&Bs[tile % STAGES][bRow * BN + bCol], B + tile * BK * N, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  double acc[4][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const double *as = &As[t % STAGES][row * PITCH], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int k2 = 0; k2 < BK; k2 += 2) {
      double2 a[4], b[2][2];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        a[i] = *reinterpret_cast<const double2 *>(&as[i * PITCH + k2]);
#pragma unroll
      for (int kk = 0; kk < 2; ++kk)
#pragma unroll
        for (int j = 0; j < 2; ++j)
          b[kk][j] = *reinterpret_cast<const double2 *>(&bs[(k2 + kk) * BN + j * 32]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) {
          acc[i][j * 2] += a[i].x * b[0][j].x;
          acc[i][j * 2 + 1] += a[i].x * b[0][j].y;
          acc[i][j * 2] += a[i].y * b[1][j].x;
          acc[i][j * 2 + 1] += a[i].y * b[1][j].y;
        }
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      *reinterpret_cast<double2 *>(&C[(blockRow + row + i) * N + blockCol + col + j * 32]) =
          make_double2(acc[i][j * 2], acc[i][j * 2 + 1]);
}
