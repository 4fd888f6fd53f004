// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: int8 matrix product on the tensor cores (wmma), a 128x128x64 tile, copies of 16 bytes, no
// padding.
// Expected limit: reads of shared memory, as a fragment of B is read byte by byte.
#include <cstdint>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 64;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 64;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

__global__ void __launch_bounds__(THREADS)
    igemm_128x128x64(const int8_t *__restrict__ A, const int8_t *__restrict__ B,
                     int *__restrict__ C, int N, int K) {
  __shared__ __align__(128) int8_t As[BM][BK];
  __shared__ __align__(128) int8_t Bs[BK][BN];

  const int tid = threadIdx.x, warp = tid / 32;
  const int warpRow = warp / (BN / WN) * WM;
  const int warpCol = warp % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM;
  const int blockCol = blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[WM / 16][WN / 16];
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 16; i += THREADS) {
      const int r = i / (BK / 16), c = i % (BK / 16) * 16;
      *reinterpret_cast<int4 *>(&As[r][c]) =
          *reinterpret_cast<const int4 *>(&A[(blockRow + r) * K + k0 + c]);
    }
    for (int i = tid; i < BK * BN / 16; i += THREADS) {
      const int r = i / (BN / 16), c = i % (BN / 16) * 16;
      *reinterpret_cast<int4 *>(&Bs[r][c]) =
          *reinterpret_cast<const int4 *>(&B[(k0 + r) * N + blockCol + c]);
    }
    __syncthreads();

    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a[WM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b[WN / 16];
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
