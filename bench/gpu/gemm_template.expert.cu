// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gemm_template by hand: asynchronous copies of 16 bytes, three stages, padded rows of A that are
// read 16 bytes at a time, columns in groups of 16 bytes.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

template <typename T, int BM, int BN, int BK>
__global__ void __launch_bounds__(256)
    gemm_template(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int N,
                  int K) {
  constexpr int THREADS = 256, VEC = 16 / sizeof(T), STAGES = 3;
  constexpr int TM = BM / 16, TN = BN / 16, PITCH = BK + VEC;
  __shared__ __align__(16) T As[STAGES][BM * PITCH];
  __shared__ __align__(16) T Bs[STAGES][BK * BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * TM, col = tid % 16 * VEC; // and 16 * VEC further on
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;
  const int tiles = K / BK;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES, k = tile * BK;
#pragma unroll
    for (int n = 0; n < BM * BK / VEC / THREADS; ++n) {
      const int i = tid + n * THREADS, r = i / (BK / VEC), c = i % (BK / VEC) * VEC;
      __pipeline_memcpy_async(&As[stage][r * PITCH + c], &A[(blockRow + r) * K + k + c], 16);
    }
#pragma unroll
    for (int n = 0; n < BK * BN / VEC / THREADS; ++n) {
      const int i = tid + n * THREADS, r = i / (BN / VEC), c = i % (BN / VEC) * VEC;
      __pipeline_memcpy_async(&Bs[stage][r * BN + c], &B[(k + r) * N + blockCol + c], 16);
    }
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  T acc[TM][TN] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const T *as = &As[t % STAGES][row * PITCH], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += VEC) {
      T a[TM][VEC];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        *reinterpret_cast<float4 *>(a[i]) = *reinterpret_cast<const float4 *>(&as[i * PITCH + k4]);
#pragma unroll
      for (int kk = 0; kk < VEC; ++kk) {
        T b[TN];
#pragma unroll
        for (int j = 0; j < TN; j += VEC)
          *reinterpret_cast<float4 *>(&b[j]) =
              *reinterpret_cast<const float4 *>(&bs[(k4 + kk) * BN + j * 16]);
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int j = 0; j < TN; ++j)
            acc[i][j] += a[i][kk] * b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += VEC)
      *reinterpret_cast<float4 *>(&C[(blockRow + row + i) * N + blockCol + col + j * 16]) =
          *reinterpret_cast<const float4 *>(&acc[i][j]);
}

template __global__ void gemm_template<float, 64, 128, 16>(const float *, const float *, float *,
                                                           int, int);
