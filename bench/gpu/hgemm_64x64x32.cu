// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: half matrix product on the tensor cores (wmma), a 64x64x32 tile, copies of 16 bytes, no
// padding.
// Expected limit: the wait for global memory; a small tile reads each matrix often.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 32;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int VEC = 8; // elements in 16 bytes

__global__ void __launch_bounds__(THREADS)
    hgemm_64x64x32(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C,
                   int N, int K) {
  __shared__ __align__(128) half As[BM][BK];
  __shared__ __align__(128) half Bs[BK][BN];

  const int tid = threadIdx.x;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM;
  const int blockCol = blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[WM / 16][WN / 16];
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / VEC; i += THREADS) {
      const int r = i / (BK / VEC), c = i % (BK / VEC) * VEC;
      *reinterpret_cast<uint4 *>(&As[r][c]) =
          *reinterpret_cast<const uint4 *>(&A[(blockRow + r) * K + k0 + c]);
    }
    for (int i = tid; i < BK * BN / VEC; i += THREADS) {
      const int r = i / (BN / VEC), c = i % (BN / VEC) * VEC;
      *reinterpret_cast<uint4 *>(&Bs[r][c]) =
          *reinterpret_cast<const uint4 *>(&B[(k0 + r) * N + blockCol + c]);
    }
    __syncthreads();

    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[WM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[WN / 16];
      for (int i = 0; i < WM / 16; ++i)
        wmma::load_matrix_sync(a[i], &As[warpRow + i * 16][kk], BK);
      for (int j = 0; j < WN / 16; ++j)
        wmma::load_matrix_sync(b[j], &Bs[kk][warpCol + j * 16], BN);
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
