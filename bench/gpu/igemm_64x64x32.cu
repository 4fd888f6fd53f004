// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: int8 matrix product on the tensor cores (wmma), a 64x64x32 tile, guarded loads of single
// bytes, no padding.
// Expected limit: the instructions of the byte loads; pipelining alone can hide little of them.
#include <cstdint>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 32;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

__global__ void __launch_bounds__(THREADS)
    igemm_64x64x32(const int8_t *__restrict__ A, const int8_t *__restrict__ B, int *__restrict__ C,
                   int M, int N, int K) {
  __shared__ __align__(128) int8_t As[BM][BK];
  __shared__ __align__(128) int8_t Bs[BK][BN];
  __shared__ __align__(128) int patch[THREADS / 32][16 * 16];

  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int warpRow = warp / (BN / WN) * WM;
  const int warpCol = warp % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM;
  const int blockCol = blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[WM / 16][WN / 16];
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += THREADS) {
      const int r = i / BK, c = i % BK;
      const int row = blockRow + r, col = k0 + c;
      As[r][c] = (row < M && col < K) ? A[row * K + col] : 0;
    }
    for (int i = tid; i < BK * BN; i += THREADS) {
      const int r = i / BN, c = i % BN;
      const int row = k0 + r, col = blockCol + c;
      Bs[r][c] = (row < K && col < N) ? B[row * N + col] : 0;
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

  // An edge of C may cut through a fragment, so each is stored by element.
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j) {
      wmma::store_matrix_sync(patch[warp], acc[i][j], 16, wmma::mem_row_major);
      __syncwarp();
      for (int e = lane; e < 16 * 16; e += 32) {
        const int row = blockRow + warpRow + i * 16 + e / 16;
        const int col = blockCol + warpCol + j * 16 + e % 16;
        if (row < M && col < N)
          C[row * N + col] = patch[warp][e];
      }
      __syncwarp();
    }
}
