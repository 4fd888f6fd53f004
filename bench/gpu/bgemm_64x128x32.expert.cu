// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bgemm_64x128x32 by hand: asynchronous copies, four stages, swizzled tiles, ldmatrix and mma.sync
// with fragments that are loaded a step ahead.
#include <cuda_bf16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 128;
constexpr int SK = 32; // of K per stage
constexpr int STAGES = 4;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 64;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int VEC = 8; // elements in 16 bytes

// Eight rows of one column of chunks lie in eight different groups of banks.
__device__ __forceinline__ int placeInA(int row, int col) {
  return row * SK + (((col / VEC) ^ ((row >> 1) & 3)) * VEC);
}
__device__ __forceinline__ int placeInB(int row, int col) {
  return row * BN + (((col / VEC) ^ (row & 7)) * VEC);
}

__device__ __forceinline__ void loadA(unsigned (&r)[4], const __nv_bfloat16 *from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
}
__device__ __forceinline__ void loadB(unsigned (&r)[2], unsigned (&next)[2],
                                      const __nv_bfloat16 *from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(next[0]), "=r"(next[1])
               : "r"(at)
               : "memory");
}
__device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void __launch_bounds__(THREADS)
    bgemm_64x128x32(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B,
                    float *__restrict__ C, int N, int K) {
  __shared__ __align__(128) __nv_bfloat16 As[STAGES][BM * SK];
  __shared__ __align__(128) __nv_bfloat16 Bs[STAGES][SK * BN];

  const int tid = threadIdx.x, lane = tid % 32;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  A += static_cast<size_t>(blockIdx.y) * BM * K;
  B += blockIdx.x * BN;
  const int tiles = K / SK;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES, k0 = tile * SK;
#pragma unroll
    for (int n = 0; n < BM * SK / VEC / THREADS; ++n) {
      const int i = tid + n * THREADS, r = i / (SK / VEC), c = i % (SK / VEC) * VEC;
      __pipeline_memcpy_async(&As[stage][placeInA(r, c)], &A[r * K + k0 + c], 16);
    }
#pragma unroll
    for (int n = 0; n < SK * BN / VEC / THREADS; ++n) {
      const int i = tid + n * THREADS, r = i / (BN / VEC), c = i % (BN / VEC) * VEC;
      __pipeline_memcpy_async(&Bs[stage][placeInB(r, c)], &B[(k0 + r) * N + c], 16);
    }
  };

  float acc[WM / 16][WN / 8][4] = {};
  unsigned a[2][WM / 16][4], b[2][WN / 8][2];
  auto load = [&](int to, int stage, int kk) {
#pragma unroll
    for (int i = 0; i < WM / 16; ++i)
      loadA(a[to][i], &As[stage][placeInA(warpRow + i * 16 + lane % 16, kk + lane / 16 * 8)]);
#pragma unroll
    for (int j = 0; j < WN / 8; j += 2)
      loadB(b[to][j], b[to][j + 1],
            &Bs[stage][placeInB(kk + lane % 16, warpCol + j * 8 + lane / 16 * 8)]);
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
    for (int step = 0; step < SK / 16; ++step) {
      // The last step's fragments are in registers, so that its products hide the wait.
      if (step == SK / 16 - 1) {
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
          multiply(acc[i][j], a[step % 2][i], b[step % 2][j]);
    }
  }

  C += (static_cast<size_t>(blockIdx.y) * BM + warpRow + lane / 4) * N + blockIdx.x * BN + warpCol +
       lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 8; ++j) {
      float *to = C + i * 16 * N + j * 8;
      *reinterpret_cast<float2 *>(to) = make_float2(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<float2 *>(to + 8 * N) = make_float2(acc[i][j][2], acc[i][j][3]);
    }
}
