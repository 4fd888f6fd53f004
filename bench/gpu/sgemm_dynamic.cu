// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: tiles in dynamic shared memory. fp32 matrix product, a 64x64x32 tile, 4x4 elements per
// thread, loads of float4.
// Expected limit: FFMA and reads of shared memory alike, and the wait for global memory at each
// barrier.
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int THREADS = 256; // 16 x 16, 4 x 4 elements each

__global__ void __launch_bounds__(THREADS)
    sgemm_dynamic(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                  int N, int K) {
  extern __shared__ float pool[];
  float *As = pool;
  float *Bs = pool + BM * BK;

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;

  float acc[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BM * BK / 4; i += THREADS) {
      const int r = i / (BK / 4), c = i % (BK / 4) * 4;
      reinterpret_cast<float4 *>(As)[i] =
          *reinterpret_cast<const float4 *>(&A[(blockRow + r) * K + k + c]);
    }
    for (int i = tid; i < BK * BN / 4; i += THREADS) {
      const int r = i / (BN / 4), c = i % (BN / 4) * 4;
      reinterpret_cast<float4 *>(Bs)[i] =
          *reinterpret_cast<const float4 *>(&B[(k + r) * N + blockCol + c]);
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        a[i] = As[(row + i) * BK + kk];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        b[j] = Bs[kk * BN + col + j];
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
