// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_128x128x16_b8 by hand: asynchronous copies, four stages of 8 of K each, padded rows of A
// that are read as float4, and columns four by four, so that the reads of B do not collide.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 8;
constexpr int THREADS = 256; // 16 x 16, 8 x 8 elements each
constexpr int PITCH = BK + 4;
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS, 2)
    sgemm_128x128x16_b8(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float As[STAGES][BM * PITCH];
  __shared__ __align__(16) float Bs[STAGES][BK * BN];

  const int tid = threadIdx.x;
  const int aRow = tid / 2, aCol = tid % 2 * 4;
  const int bRow = tid / 32, bCol = tid % 32 * 4;
  const int row = tid / 16 * 8, col = tid % 16 * 4; // and 64 further on
  const int tiles = K / BK;
  A += blockIdx.y * BM * K + aRow * K + aCol;
  B += bRow * N + blockIdx.x * BN + bCol;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

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

  float acc[8][8] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &As[t % STAGES][row * PITCH], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
      float a[8][4];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        *reinterpret_cast<float4 *>(a[i]) = *reinterpret_cast<const float4 *>(&as[i * PITCH + k4]);
#pragma unroll
      for (int kk = 0; kk < 4; ++kk) {
        float b[8];
#pragma unroll
        for (int j = 0; j < 8; j += 4)
          *reinterpret_cast<float4 *>(&b[j]) =
              *reinterpret_cast<const float4 *>(&bs[(k4 + kk) * BN + j * 16]);
#pragma unroll
        for (int i = 0; i < 8; ++i)
#pragma unroll
          for (int j = 0; j < 8; ++j)
            acc[i][j] += a[i][kk] * b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4 *>(&C[(row + i) * N + col + j * 16]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
