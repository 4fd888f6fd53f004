// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tf32gemm_64x64x16 by hand: asynchronous copies, four stages, rows padded so that fragments are
// read without bank conflicts, mma.sync.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 32;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int PITCH_A = BK + 4;
constexpr int PITCH_B = BN + 8;
constexpr int STAGES = 4;

__device__ __forceinline__ unsigned rounded(float x) {
  unsigned y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void __launch_bounds__(THREADS)
    tf32gemm_64x64x16(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float As[STAGES][BM * PITCH_A];
  __shared__ __align__(16) float Bs[STAGES][BK * PITCH_B];

  const int tid = threadIdx.x, lane = tid % 32;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  const int aRow = tid / (BK / 4), aCol = tid % (BK / 4) * 4;
  const int bRow = tid / (BN / 4), bCol = tid % (BN / 4) * 4;
  const int tiles = K / BK;
  A += (blockIdx.y * BM + aRow) * K + aCol;
  B += bRow * N + blockIdx.x * BN + bCol;

  auto fetch = [&](int tile) {
    const int stage = tile % STAGES;
#pragma unroll
    for (int r = 0; r < BM; r += THREADS / (BK / 4))
      __pipeline_memcpy_async(&As[stage][(aRow + r) * PITCH_A + aCol], A + r * K + tile * BK, 16);
#pragma unroll
    for (int r = 0; r < BK; r += THREADS / (BN / 4))
      __pipeline_memcpy_async(&Bs[stage][(bRow + r) * PITCH_B + bCol], B + (tile * BK + r) * N, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float acc[WM / 16][WN / 8][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &As[t % STAGES][(warpRow + lane / 4) * PITCH_A + lane % 4];
    const float *bs = &Bs[t % STAGES][lane % 4 * PITCH_B + warpCol + lane / 4];
#pragma unroll
    for (int kk = 0; kk < BK; kk += 8) {
      unsigned a[WM / 16][4], b[WN / 8][2];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e)
          a[i][e] = rounded(as[(i * 16 + e % 2 * 8) * PITCH_A + kk + e / 2 * 4]);
#pragma unroll
      for (int j = 0; j < WN / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e)
          b[j][e] = rounded(bs[(kk + e * 4) * PITCH_B + j * 8]);
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j)
          multiply(acc[i][j], a[i], b[j]);
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
