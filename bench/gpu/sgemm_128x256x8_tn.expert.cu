// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_128x256x8_tn by hand: asynchronous copies, four stages in 48 KB, fragments that are loaded
// a step ahead.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 256;
constexpr int BK = 8;
constexpr int THREADS = 256; // 16 x 16, 8 x 16 elements each
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS, 1)
    sgemm_128x256x8_tn(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) float As[STAGES][BK * BM];
  __shared__ __align__(16) float Bs[STAGES][BK * BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4; // and 64, 128, 192 further on
  const int aRow = tid / (BM / 4), aCol = tid % (BM / 4) * 4;
  const int bRow = tid / (BN / 4), bCol = tid % (BN / 4) * 4;
  const int tiles = K / BK;
  A += blockIdx.y * BM + aRow * M + aCol;
  B += blockIdx.x * BN + bRow * N + bCol;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES;
    __pipeline_memcpy_async(&As[stage][aRow * BM + aCol], A + tile * BK * M, 16);
    __pipeline_memcpy_async(&Bs[stage][bRow * BN + bCol], B + tile * BK * N, 16);
    __pipeline_memcpy_async(&Bs[stage][(bRow + BK / 2) * BN + bCol], B + (tile * BK + BK / 2) * N,
                            16);
  };
  float acc[8][16] = {};
  float a[2][8], b[2][16];
  auto load = [&](int to, int stage, int kk) {
#pragma unroll
    for (int i = 0; i < 8; i += 4)
      *reinterpret_cast<float4 *>(&a[to][i]) =
          *reinterpret_cast<const float4 *>(&As[stage][kk * BM + row + i * 16]);
#pragma unroll
    for (int j = 0; j < 16; j += 4)
      *reinterpret_cast<float4 *>(&b[to][j]) =
          *reinterpret_cast<const float4 *>(&Bs[stage][kk * BN + col + j * 16]);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  if (tiles > 0)
    load(0, 0, 0);

  for (int t = 0; t < tiles; ++t) {
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      // The last step's fragments are in registers, so that its products hide the wait.
      if (kk < BK - 1) {
        load((kk + 1) % 2, t % STAGES, kk + 1);
      } else {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        if (t + 1 < tiles)
          load((kk + 1) % 2, (t + 1) % STAGES, 0);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 16; ++j)
          acc[i][j] += a[kk % 2][i] * b[kk % 2][j];
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 16; j += 4)
      *reinterpret_cast<float4 *>(&C[(row + i / 4 * 64 + i % 4) * N + col + j * 16]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
