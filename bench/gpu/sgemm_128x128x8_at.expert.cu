// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_128x128x8_at by hand: the next tile of A in registers and that of B by asynchronous copies,
// two buffers, a padded tile of A whose transposed stores do not collide, fragments that are loaded
// a step ahead.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 8;
constexpr int THREADS = 256; // 16 x 16, 8 x 8 elements each
constexpr int PITCH = BM + 4;

__global__ void __launch_bounds__(THREADS, 2)
    sgemm_128x128x8_at(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float As[2][BK * PITCH]; // transposed
  __shared__ __align__(16) float Bs[2][BK * BN];

  const int tid = threadIdx.x;
  const int aRow = tid / 2, aCol = tid % 2 * 4;
  const int bRow = tid / 32, bCol = tid % 32 * 4;
  const int row = tid / 16 * 4, col = tid % 16 * 4; // and 64 further on
  A += blockIdx.y * BM * K + aRow * K + aCol;
  B += bRow * N + blockIdx.x * BN + bCol;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float4 next;
  auto fetch = [&](int stage) {
    next = *reinterpret_cast<const float4 *>(A);
    __pipeline_memcpy_async(&Bs[stage][bRow * BN + bCol], B, 16);
    A += BK;
    B += BK * N;
  };
  auto store = [&](int stage) {
    float *to = &As[stage][aCol * PITCH + aRow];
    to[0] = next.x;
    to[PITCH] = next.y;
    to[2 * PITCH] = next.z;
    to[3 * PITCH] = next.w;
  };
  float acc[8][8] = {};
  float a[2][8], b[2][8];
  auto load = [&](int to, int stage, int kk) {
#pragma unroll
    for (int i = 0; i < 8; i += 4)
      *reinterpret_cast<float4 *>(&a[to][i]) =
          *reinterpret_cast<const float4 *>(&As[stage][kk * PITCH + row + i * 16]);
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4 *>(&b[to][j]) =
          *reinterpret_cast<const float4 *>(&Bs[stage][kk * BN + col + j * 16]);
  };

  if (K > 0) {
    fetch(0);
    store(0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    load(0, 0, 0);
  }
  int stage = 0;
  for (int k = 0; k < K; k += BK) {
    const bool more = k + BK < K;
    if (more)
      fetch(stage ^ 1);
    __pipeline_commit();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      // The last step's fragments are in registers, so that its products hide the wait.
      if (kk < BK - 1) {
        load((kk + 1) % 2, stage, kk + 1);
      } else if (more) {
        store(stage ^ 1);
        __pipeline_wait_prior(0);
        __syncthreads();
        load((kk + 1) % 2, stage ^ 1, 0);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          acc[i][j] += a[kk % 2][i] * b[kk % 2][j];
    }
    stage ^= 1;
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4 *>(&C[(row + i / 4 * 64 + i % 4) * N + col + j / 4 * 64]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
