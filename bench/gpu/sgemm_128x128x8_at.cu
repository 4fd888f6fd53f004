// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: fp32 matrix product, a 128x128x8 tile, 8x8 elements per thread, loads of float4; A is
// transposed into its tile.
// Expected limit: FFMA; what pipelining can gain is the wait for global memory at each barrier.
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 8;
constexpr int THREADS = 256; // 16 x 16, 8 x 8 elements each

__global__ void __launch_bounds__(THREADS)
    sgemm_128x128x8_at(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float As[BK][BM]; // transposed
  __shared__ __align__(16) float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int aRow = tid / 2, aCol = tid % 2 * 4;
  const int bRow = tid / 32, bCol = tid % 32 * 4;
  const int row = tid / 16 * 4, col = tid % 16 * 4; // and 64 further on
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[8][8] = {};
  for (int k = 0; k < K; k += BK) {
    const float4 va = *reinterpret_cast<const float4 *>(&A[aRow * K + k + aCol]);
    As[aCol + 0][aRow] = va.x;
    As[aCol + 1][aRow] = va.y;
    As[aCol + 2][aRow] = va.z;
    As[aCol + 3][aRow] = va.w;
    *reinterpret_cast<float4 *>(&Bs[bRow][bCol]) =
        *reinterpret_cast<const float4 *>(&B[(k + bRow) * N + bCol]);
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[8], b[8];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        a[i] = As[kk][row + i / 4 * 64 + i % 4];
#pragma unroll
      for (int j = 0; j < 8; ++j)
        b[j] = Bs[kk][col + j / 4 * 64 + j % 4];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4 *>(&C[(row + i / 4 * 64 + i % 4) * N + col + j / 4 * 64]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
