// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hgemm_mma_64x128x32 by hand: asynchronous copies, four stages in 48 KB, swizzled tiles instead of
// padded ones, and fragments that are loaded a step ahead.
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int STAGES = 4;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 64;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

__device__ __forceinline__ unsigned sharedAddress(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load4(unsigned (&r)[4], const half *from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(from))
               : "memory");
}
__device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0,
                                         unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Eight rows of one column of chunks lie in eight different groups of banks.
__device__ __forceinline__ int place(int row, int col) {
  return row * BK + (((col / 8) ^ ((row >> 1) & 3)) * 8);
}

__global__ void __launch_bounds__(THREADS)
    hgemm_mma_64x128x32(const half *__restrict__ A, const half *__restrict__ B,
                        half *__restrict__ C, int N, int K) {
  __shared__ __align__(128) half As[STAGES][BM * BK];
  __shared__ __align__(128) half Bs[STAGES][BN * BK];

  const int tid = threadIdx.x, lane = tid % 32;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  const int tiles = K / BK;
  const int row = tid / (BK / 8), col = tid % (BK / 8) * 8;
  A += (static_cast<size_t>(blockIdx.y) * BM + row) * K + col;
  B += (static_cast<size_t>(blockIdx.x) * BN + row) * K + col;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES;
#pragma unroll
    for (int r = 0; r < BM; r += THREADS / (BK / 8))
      __pipeline_memcpy_async(&As[stage][place(row + r, col)], &A[r * K + tile * BK], 16);
#pragma unroll
    for (int r = 0; r < BN; r += THREADS / (BK / 8))
      __pipeline_memcpy_async(&Bs[stage][place(row + r, col)], &B[r * K + tile * BK], 16);
  };

  float acc[WM / 16][WN / 8][4] = {};
  unsigned a[2][WM / 16][4], b[2][WN / 16][4];
  auto load = [&](int to, int stage, int kk) {
#pragma unroll
    for (int i = 0; i < WM / 16; ++i)
      load4(a[to][i], &As[stage][place(warpRow + i * 16 + lane % 16, kk + lane / 16 * 8)]);
#pragma unroll
    for (int j = 0; j < WN / 16; ++j)
      load4(b[to][j], &Bs[stage][place(warpCol + j * 16 + lane % 16, kk + lane / 16 * 8)]);
  };

#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  if (tiles > 0)
    load(0, 0, 0);

  for (int t = 0; t < tiles; ++t) {
#pragma unroll
    for (int step = 0; step < BK / 16; ++step) {
      // The last step's fragments are in registers, so that its products hide the wait.
      if (step == BK / 16 - 1) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        if (t + 1 < tiles)
          load((step + 1) % 2, (t + 1) % STAGES, 0);
      } else {
        load((step + 1) % 2, t % STAGES, (step + 1) * 16);
      }
      if (step == 0) {
        if (t + STAGES - 1 < tiles)
          fetch(t + STAGES - 1);
        __pipeline_commit();
      }
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j)
          multiply(acc[i][j], a[step % 2][i], b[step % 2][j / 2][j % 2],
                   b[step % 2][j / 2][j % 2 + 2]);
    }
  }

  C += (static_cast<size_t>(blockIdx.y) * BM + warpRow + lane / 4) * N + blockIdx.x * BN + warpCol +
       lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 8; ++j) {
      half *to = C + i * 16 * N + j * 8;
      *reinterpret_cast<half2 *>(to) = __floats2half2_rn(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<half2 *>(to + 8 * N) = __floats2half2_rn(acc[i][j][2], acc[i][j][3]);
    }
}
