// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: fp64 matrix product, a 64x64x16 tile, 4x4 elements per thread, loads of two doubles.
// Expected limit: reads of shared memory, then DFMA.
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each

__global__ void __launch_bounds__(THREADS)
    dgemm_64x64x16(const double *__restrict__ A, const double *__restrict__ B,
                   double *__restrict__ C, int N, int K) {
  __shared__ __align__(16) double As[BM][BK];
  __shared__ __align__(16) double Bs[BK][BN];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;

  double acc[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BM * BK / 2; i += THREADS) {
      const int r = i / (BK / 2), c = i % (BK / 2) * 2;
      *reinterpret_cast<double2 *>(&As[r][c]) =
          *reinterpret_cast<const double2 *>(&A[(blockRow + r) * K + k + c]);
    }
    for (int i = tid; i < BK * BN / 2; i += THREADS) {
      const int r = i / (BN / 2), c = i % (BN / 2) * 2;
      *reinterpret_cast<double2 *>(&Bs[r][c]) =
          *reinterpret_cast<const double2 *>(&B[(k + r) * N + blockCol + c]);
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      double a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        a[i] = As[row + i][kk];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        b[j] = Bs[kk][col + j];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockRow + row + i) * N + blockCol + col + j] = acc[i][j];
}
