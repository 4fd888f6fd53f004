// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: low occupancy. fp32 matrix product with A given by columns, a 128x256x8 tile, 8x16
// elements per thread: one block of eight warps per multiprocessor.
// Expected limit: FFMA, and at each barrier the wait for global memory, which no other block hides.
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 256;
constexpr int BK = 8;
constexpr int THREADS = 256; // 16 x 16, 8 x 16 elements each

// C = A' * B, with A in K rows of M.
__global__ void __launch_bounds__(THREADS)
    sgemm_128x256x8_tn(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) float As[BK][BM];
  __shared__ __align__(16) float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4; // and 64, 128, 192 further on
  A += blockIdx.y * BM;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[8][16] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BK * BM / 4; i += THREADS) {
      const int r = i / (BM / 4), c = i % (BM / 4) * 4;
      *reinterpret_cast<float4 *>(&As[r][c]) =
          *reinterpret_cast<const float4 *>(&A[(k + r) * M + c]);
    }
    for (int i = tid; i < BK * BN / 4; i += THREADS) {
      const int r = i / (BN / 4), c = i % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&B[(k + r) * N + c]);
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[8], b[16];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        a[i] = As[kk][row + i / 4 * 64 + i % 4];
#pragma unroll
      for (int j = 0; j < 16; ++j)
        b[j] = Bs[kk][col + j / 4 * 64 + j % 4];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 16; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 16; j += 4)
      *reinterpret_cast<float4 *>(&C[(row + i / 4 * 64 + i % 4) * N + col + j * 16]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
