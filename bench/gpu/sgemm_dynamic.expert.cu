// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sgemm_dynamic by hand: asynchronous copies, and as many stages as the launch has given room for,
// three at most; swizzled rows of A that are read as float4. With room for one stage alone the
// tiles are loaded where they are needed.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int THREADS = 256;             // 16 x 16, 4 x 4 elements each
constexpr int STAGE = BM * BK + BK * BN; // floats

// The chunks of eight rows of A, four rows apart, lie in eight different groups of banks.
__device__ __forceinline__ int placeInA(int row, int col) {
  return row * BK + (((col / 4) ^ ((row / 4) & 7)) * 4);
}

template <int STAGES>
__device__ __forceinline__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                                     float *__restrict__ C, int N, int K, float *pool) {
  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;
  const int tiles = K / BK;

  auto fetch = [&](int tile) {
    float *As = pool + tile % STAGES * STAGE, *Bs = As + BM * BK;
    const int k = tile * BK;
#pragma unroll
    for (int n = 0; n < BM * BK / 4 / THREADS; ++n) {
      const int i = tid + n * THREADS, r = i / (BK / 4), c = i % (BK / 4) * 4;
      __pipeline_memcpy_async(&As[placeInA(r, c)], &A[(blockRow + r) * K + k + c], 16);
    }
#pragma unroll
    for (int n = 0; n < BK * BN / 4 / THREADS; ++n) {
      const int i = tid + n * THREADS, r = i / (BN / 4), c = i % (BN / 4) * 4;
      __pipeline_memcpy_async(&Bs[i * 4], &B[(k + r) * N + blockCol + c], 16);
    }
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }

  float acc[4][4] = {};
  for (int t = 0; t < tiles; ++t) {
    if (STAGES == 1) {
      __syncthreads();
      fetch(t);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncthreads();
    } else {
      __pipeline_wait_prior(STAGES > 1 ? STAGES - 2 : 0);
      __syncthreads();
      if (t + STAGES - 1 < tiles)
        fetch(t + STAGES - 1);
      __pipeline_commit();
    }

    const float *As = pool + t % STAGES * STAGE, *bs = As + BM * BK + col;
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
      float a[4][4], b[4][4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        *reinterpret_cast<float4 *>(a[i]) =
            *reinterpret_cast<const float4 *>(&As[placeInA(row + i, k4)]);
        *reinterpret_cast<float4 *>(b[i]) = *reinterpret_cast<const float4 *>(&bs[(k4 + i) * BN]);
      }
#pragma unroll
      for (int kk = 0; kk < 4; ++kk)
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j)
            acc[i][j] += a[i][kk] * b[kk][j];
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(&C[(blockRow + row + i) * N + blockCol + col]) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}

__global__ void __launch_bounds__(THREADS)
    sgemm_dynamic(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                  int N, int K) {
  extern __shared__ __align__(16) float pool[];
  unsigned given;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(given));
  if (given >= 3 * STAGE * sizeof(float))
    gemm<3>(A, B, C, N, K, pool);
  else
    gemm<1>(A, B, C, N, K, pool);
}
