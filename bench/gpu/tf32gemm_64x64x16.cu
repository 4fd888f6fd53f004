// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: fp32 matrix product on the tensor cores (wmma, tf32), a 64x64x16 tile, loads of float4,
// rounded on the way to the fragments.
// Expected limit: reads of shared memory, whose rows lie on the same banks, and the wait for global
// memory.
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 32;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

__global__ void __launch_bounds__(THREADS)
    tf32gemm_64x64x16(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ C, int N, int K) {
  __shared__ __align__(128) float As[BM][BK];
  __shared__ __align__(128) float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc[WM / 16][WN / 16];
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 4; i += THREADS) {
      const int r = i / (BK / 4), c = i % (BK / 4) * 4;
      *reinterpret_cast<float4 *>(&As[r][c]) =
          *reinterpret_cast<const float4 *>(&A[(blockRow + r) * K + k0 + c]);
    }
    for (int i = tid; i < BK * BN / 4; i += THREADS) {
      const int r = i / (BN / 4), c = i % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&B[(k0 + r) * N + blockCol + c]);
    }
    __syncthreads();

    for (int kk = 0; kk < BK; kk += 8) {
      wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a[WM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b[WN / 16];
      for (int i = 0; i < WM / 16; ++i) {
        wmma::load_matrix_sync(a[i], &As[warpRow + i * 16][kk], BK);
        for (int e = 0; e < a[i].num_elements; ++e)
          a[i].x[e] = wmma::__float_to_tf32(a[i].x[e]);
      }
      for (int j = 0; j < WN / 16; ++j) {
        wmma::load_matrix_sync(b[j], &Bs[kk][warpCol + j * 16], BN);
        for (int e = 0; e < b[j].num_elements; ++e)
          b[j].x[e] = wmma::__float_to_tf32(b[j].x[e]);
      }
      for (int i = 0; i < WM / 16; ++i)
        for (int j = 0; j < WN / 16; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j)
      wmma::store_matrix_sync(&C[(blockRow + warpRow + i * 16) * N + blockCol + warpCol + j * 16],
                              acc[i][j], N, wmma::mem_row_major);
}
