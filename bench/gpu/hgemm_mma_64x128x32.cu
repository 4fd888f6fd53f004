// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: half matrix product by ldmatrix and mma.sync in inline assembly, B given by columns, a
// 64x128x32 tile with padded rows, the result in half.
// Expected limit: the wait for global memory, as one block's loads are all in flight or none.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 64;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int PITCH = BK + 8;

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

// C = A * B', with B in N rows of K.
__global__ void __launch_bounds__(THREADS)
    hgemm_mma_64x128x32(const half *__restrict__ A, const half *__restrict__ B,
                        half *__restrict__ C, int N, int K) {
  __shared__ __align__(16) half As[BM * PITCH];
  __shared__ __align__(16) half Bs[BN * PITCH];

  const int tid = threadIdx.x, lane = tid % 32;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN * K;

  float acc[WM / 16][WN / 8][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 8; i += THREADS) {
      const int r = i / (BK / 8), c = i % (BK / 8) * 8;
      *reinterpret_cast<uint4 *>(&As[r * PITCH + c]) =
          *reinterpret_cast<const uint4 *>(&A[r * K + k0 + c]);
    }
    for (int i = tid; i < BN * BK / 8; i += THREADS) {
      const int r = i / (BK / 8), c = i % (BK / 8) * 8;
      *reinterpret_cast<uint4 *>(&Bs[r * PITCH + c]) =
          *reinterpret_cast<const uint4 *>(&B[r * K + k0 + c]);
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) {
      unsigned a[WM / 16][4], b[WN / 16][4];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
        load4(a[i], &As[(warpRow + i * 16 + lane % 16) * PITCH + kk + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < WN / 16; ++j)
        load4(b[j], &Bs[(warpCol + j * 16 + lane % 16) * PITCH + kk + lane / 16 * 8]);
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j)
          multiply(acc[i][j], a[i], b[j / 2][j % 2], b[j / 2][j % 2 + 2]);
    }
    __syncthreads();
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
