// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// igemm_128x128x64 by hand: asynchronous copies, four stages of 32 of K each, tiles without bank
// conflicts, mma.sync on 32 of K, and a transposition in registers for B.
#include <cstdint>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 32; // of K per stage
constexpr int STAGES = 4;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 64;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

// A's rows are 32 bytes: eight rows of one column of chunks lie in eight different groups of banks.
__device__ __forceinline__ int placeInA(int row, int chunk) {
  return row * BK + ((chunk ^ ((row >> 2) & 1)) * 16);
}
// Every fourth row of B begins eight banks further on.
__device__ __forceinline__ int placeInB(int row, int chunk) {
  return row * BN + row / 4 * 32 + chunk * 16;
}

__device__ __forceinline__ void loadA(unsigned (&r)[4], const int8_t *from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
}
// Four rows with four columns each in; four columns with four rows each out.
__device__ __forceinline__ void transpose(unsigned (&w)[4]) {
  const unsigned a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[2], w[3], 0x5140);
  const unsigned c = __byte_perm(w[0], w[1], 0x7362), d = __byte_perm(w[2], w[3], 0x7362);
  w[0] = __byte_perm(a, b, 0x5410);
  w[1] = __byte_perm(a, b, 0x7632);
  w[2] = __byte_perm(c, d, 0x5410);
  w[3] = __byte_perm(c, d, 0x7632);
}
__device__ __forceinline__ void multiply(int (&c)[4], const unsigned (&a)[4], unsigned b0,
                                         unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void __launch_bounds__(THREADS, 2)
    igemm_128x128x64(const int8_t *__restrict__ A, const int8_t *__restrict__ B,
                     int *__restrict__ C, int N, int K) {
  __shared__ __align__(128) int8_t As[STAGES][BM * BK];
  __shared__ __align__(128) int8_t Bs[STAGES][BK * BN + BK / 4 * 32];

  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int warpRow = warp / (BN / WN) * WM;
  const int warpCol = warp % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM;
  const int blockCol = blockIdx.x * BN;
  const int tiles = K / BK;

  // One chunk of each tile per thread.
  const int aRow = tid / 2, aChunk = tid % 2;
  const int bRow = tid / 8, bChunk = tid % 8;
  const int8_t *aFrom = &A[(blockRow + aRow) * K + aChunk * 16];
  const int8_t *bFrom = &B[bRow * N + blockCol + bChunk * 16];
  auto fetch = [&](int tile) {
    __pipeline_memcpy_async(&As[tile % STAGES][placeInA(aRow, aChunk)], aFrom + tile * BK, 16);
    __pipeline_memcpy_async(&Bs[tile % STAGES][placeInB(bRow, bChunk)], bFrom + tile * BK * N, 16);
  };

  int acc[WM / 16][WN / 8][4] = {};
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const int8_t *a8 = As[t % STAGES], *b8 = Bs[t % STAGES];
#pragma unroll
    for (int kk = 0; kk < BK; kk += 32) {
      unsigned a[WM / 16][4];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
        loadA(a[i], &a8[placeInA(warpRow + i * 16 + lane % 16, kk / 16 + lane / 16)]);
#pragma unroll
      for (int j = 0; j < WN / 32; ++j) {
        // The fragments of four products are columns 4i, 4i+1, 4i+2 and 4i+3 of 32.
        unsigned b[2][4];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
#pragma unroll
          for (int r = 0; r < 4; ++r)
            b[half][r] = *reinterpret_cast<const unsigned *>(
                &b8[placeInB(kk + half * 16 + lane % 4 * 4 + r, (warpCol + j * 32) / 16) +
                    lane / 4 * 4]);
          transpose(b[half]);
        }
#pragma unroll
        for (int i = 0; i < WM / 16; ++i)
#pragma unroll
          for (int n = 0; n < 4; ++n)
            multiply(acc[i][j * 4 + n], a[i], b[0][n], b[1][n]);
      }
    }
  }

  // A lane has columns 8q..8q+7 of each 32, in two rows of each fragment of A.
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int j = 0; j < WN / 32; ++j) {
        int *to = &C[(blockRow + warpRow + i * 16 + half * 8 + lane / 4) * N + blockCol + warpCol +
                     j * 32 + lane % 4 * 8];
#pragma unroll
        for (int e = 0; e < 2; ++e)
          reinterpret_cast<int4 *>(to)[e] =
              make_int4(acc[i][j * 4][half * 2 + e], acc[i][j * 4 + 1][half * 2 + e],
                        acc[i][j * 4 + 2][half * 2 + e], acc[i][j * 4 + 3][half * 2 + e]);
      }
}
