// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_64x64x16 by hand: asynchronous copies of 16 bytes, four stages, padded rows of A that are
// read as float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each
constexpr int PITCH = BK + 4;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    sgemm_64x64x16(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                   int N, int K) {
  __shared__ __align__(16) float As[STAGES][BM * PITCH];
  __shared__ __align__(16) float Bs[STAGES][BK * BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;
  const int aRow = tid / 4, aCol = tid % 4 * 4;
  const int bRow = tid / 16, bCol = tid % 16 * 4;
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

  float acc[4][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &As[t % STAGES][row * PITCH], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
      float a[4][4], b[4][4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        *reinterpret_cast<float4 *>(a[i]) = *reinterpret_cast<const float4 *>(&as[i * PITCH + k4]);
        *reinterpret_cast<float4 *>(b[i]) = *reinterpret_cast<const float4 *>(&bs[(k4 + i) * BN]);
      }
#pragma unroll
      for (int kk = 0; kk < 4; ++kk)
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j)
            acc[i][j] += a[i][kk] * b[kk][j];
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(&C[(blockRow + row + i) * N + blockCol + col]) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
