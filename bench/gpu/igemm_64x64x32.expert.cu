// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// igemm_64x64x32 by hand: asynchronous copies of 16 bytes where the rows allow it, four stages,
// tiles without bank conflicts, mma.sync on 32 of K, and a transposition in registers for B. Other
// sizes take the bytes by way of registers.
#include <cstdint>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int STAGES = 4;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 32;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

// A's rows are 32 bytes: eight rows of one column of chunks lie in eight different groups of banks.
__device__ __forceinline__ int placeInA(int row, int chunk) {
  return row * BK + ((chunk ^ ((row >> 2) & 1)) * 16);
}
// Every fourth row of B begins eight banks further on.
__device__ __forceinline__ int placeInB(int row, int chunk) {
  return row * BN + row / 4 * 32 + chunk * 16;
}

// Copies nothing and fills with zeros where bytes is 0.
__device__ __forceinline__ void copy16(int8_t *to, const int8_t *from, int bytes) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(bytes)
               : "memory");
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

__global__ void __launch_bounds__(THREADS)
    igemm_64x64x32(const int8_t *__restrict__ A, const int8_t *__restrict__ B, int *__restrict__ C,
                   int M, int N, int K) {
  __shared__ __align__(128) int8_t As[STAGES][BM * BK];
  __shared__ __align__(128) int8_t Bs[STAGES][BK * BN + BK / 4 * 32];

  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int warpRow = warp / (BN / WN) * WM;
  const int warpCol = warp % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM;
  const int blockCol = blockIdx.x * BN;
  const int tiles = (K + BK - 1) / BK;
  const bool wide = K % 16 == 0 && N % 16 == 0 && reinterpret_cast<size_t>(A) % 16 == 0 &&
                    reinterpret_cast<size_t>(B) % 16 == 0;

  // One chunk of each tile per thread.
  const int aRow = tid / 2, aChunk = tid % 2;
  const int bRow = tid / 4, bChunk = tid % 4;
  auto fetch = [&](int tile) {
    int8_t *a8 = As[tile % STAGES], *b8 = Bs[tile % STAGES];
    const int k0 = tile * BK;
    if (wide) {
      const bool a = blockRow + aRow < M && k0 + aChunk * 16 < K;
      const bool b = k0 + bRow < K && blockCol + bChunk * 16 < N;
      copy16(&a8[placeInA(aRow, aChunk)], a ? &A[(blockRow + aRow) * K + k0 + aChunk * 16] : A,
             a ? 16 : 0);
      copy16(&b8[placeInB(bRow, bChunk)], b ? &B[(k0 + bRow) * N + blockCol + bChunk * 16] : B,
             b ? 16 : 0);
      return;
    }
    for (int i = tid; i < BM * BK; i += THREADS) {
      const int r = i / BK, c = i % BK, row = blockRow + r, col = k0 + c;
      a8[placeInA(r, c / 16) + c % 16] = (row < M && col < K) ? A[row * K + col] : 0;
    }
    for (int i = tid; i < BK * BN; i += THREADS) {
      const int r = i / BN, c = i % BN, row = k0 + r, col = blockCol + c;
      b8[placeInB(r, c / 16) + c % 16] = (row < K && col < N) ? B[row * N + col] : 0;
    }
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

  // A lane has columns 8q..8q+7 of two rows in each fragment of A.
  const bool whole = N % 4 == 0;
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = blockRow + warpRow + i * 16 + half * 8 + lane / 4;
      const int col = blockCol + warpCol + lane % 4 * 8;
      if (row >= M)
        continue;
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int4 v = make_int4(acc[i][0][half * 2 + e], acc[i][1][half * 2 + e],
                                 acc[i][2][half * 2 + e], acc[i][3][half * 2 + e]);
        int *to = &C[row * N + col + e * 4];
        const int left = N - (col + e * 4);
        if (whole && left >= 4) {
          *reinterpret_cast<int4 *>(to) = v;
        } else {
          if (left > 0)
            to[0] = v.x;
          if (left > 1)
            to[1] = v.y;
          if (left > 2)
            to[2] = v.z;
          if (left > 3)
            to[3] = v.w;
        }
      }
    }
}
