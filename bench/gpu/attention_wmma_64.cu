// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: attention on the tensor cores (wmma, half): scores with a tile of keys, their
// exponentials by way of shared memory, products with a tile of values; for scores that are small,
// so that no maximum is kept.
// Expected limit: reads and writes of shared memory, whose rows lie on the same banks, and the wait
// at each barrier.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int KEYS = 32; // per tile
constexpr int DIM = 64;
constexpr int WARPS = 4; // sixteen queries each
constexpr int THREADS = 32 * WARPS;

// A block has 64 queries of a head; n, the number of keys, is a multiple of KEYS.
__global__ void __launch_bounds__(THREADS)
    attention_wmma_64(const half *__restrict__ Q, const half *__restrict__ K,
                      const half *__restrict__ V, float *__restrict__ O, int n, float scale) {
  __shared__ __align__(128) half Ks[KEYS][DIM];
  __shared__ __align__(128) half Vs[KEYS][DIM];
  __shared__ __align__(128) float scores[WARPS][16][KEYS];
  __shared__ __align__(128) half powers[WARPS][16][KEYS];

  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const size_t head = static_cast<size_t>(blockIdx.y) * n * DIM;
  const size_t own =
      (static_cast<size_t>(blockIdx.y * gridDim.x + blockIdx.x) * WARPS + warp) * 16 * DIM;

  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> q[DIM / 16];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> ones;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> o[DIM / 16], sum;
  for (int d = 0; d < DIM / 16; ++d) {
    wmma::load_matrix_sync(q[d], &Q[own + d * 16], DIM);
    wmma::fill_fragment(o[d], 0.0f);
  }
  wmma::fill_fragment(ones, __float2half(1.0f));
  wmma::fill_fragment(sum, 0.0f);

  for (int k = 0; k < n; k += KEYS) {
    for (int i = tid; i < KEYS * DIM / 8; i += THREADS) {
      const int r = i / (DIM / 8), c = i % (DIM / 8) * 8;
      *reinterpret_cast<uint4 *>(&Ks[r][c]) =
          *reinterpret_cast<const uint4 *>(&K[head + (k + r) * DIM + c]);
      *reinterpret_cast<uint4 *>(&Vs[r][c]) =
          *reinterpret_cast<const uint4 *>(&V[head + (k + r) * DIM + c]);
    }
    __syncthreads();

    for (int j = 0; j < KEYS; j += 16) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;
      wmma::fill_fragment(s, 0.0f);
      for (int d = 0; d < DIM / 16; ++d) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
        wmma::load_matrix_sync(b, &Ks[j][d * 16], DIM);
        wmma::mma_sync(s, q[d], b, s);
      }
      wmma::store_matrix_sync(&scores[warp][0][j], s, KEYS, wmma::mem_row_major);
    }
    __syncwarp();
    for (int i = lane; i < 16 * KEYS; i += 32)
      powers[warp][i / KEYS][i % KEYS] =
          __float2half(__expf(scores[warp][i / KEYS][i % KEYS] * scale));
    __syncwarp();
    for (int j = 0; j < KEYS; j += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> p;
      wmma::load_matrix_sync(p, &powers[warp][0][j], KEYS);
      wmma::mma_sync(sum, p, ones, sum);
      for (int d = 0; d < DIM / 16; ++d) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(b, &Vs[j][d * 16], DIM);
        wmma::mma_sync(o[d], p, b, o[d]);
      }
    }
    __syncthreads();
  }

  // All columns of the sums are alike, and fragments of one kind have their elements in the same
  // order.
  for (int d = 0; d < DIM / 16; ++d) {
    for (int e = 0; e < o[d].num_elements; ++e)
      o[d].x[e] = o[d].x[e] / sum.x[e];
    wmma::store_matrix_sync(&O[own + d * 16], o[d], DIM, wmma::mem_row_major);
  }
}
