// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gram_64x64x32 by hand: asynchronous copies of 16 bytes, three stages; copies of rows that are not
// there fill with zeros.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int TILE = 64; // columns of X on both sides
constexpr int BK = 32;   // rows of X per step
constexpr int STAGES = 3;
constexpr int THREADS = 256;

// Copies nothing and fills with zeros where bytes is 0.
__device__ __forceinline__ void copy16(float *to, const float *from, int bytes) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(bytes)
               : "memory");
}

__global__ void __launch_bounds__(THREADS)
    gram_64x64x32(const float *__restrict__ X, float *__restrict__ G, int rows, int N) {
  __shared__ __align__(16) float Xi[STAGES][BK * TILE];
  __shared__ __align__(16) float Xj[STAGES][BK * TILE];

  const int tid = threadIdx.x;
  const int row = tid / 16 * 4, col = tid % 16 * 4;
  const int left = blockIdx.y * TILE, right = blockIdx.x * TILE;
  const int tiles = (rows + BK - 1) / BK;
  auto fetch = [&](int tile) {
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int r = tid / 16 + n * 16, k = tile * BK + r;
      const bool there = k < rows;
      const float *from = there ? &X[k * N + col] : X;
      copy16(&Xi[tile % STAGES][r * TILE + col], there ? from + left : X, there ? 16 : 0);
      copy16(&Xj[tile % STAGES][r * TILE + col], there ? from + right : X, there ? 16 : 0);
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
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *as = &Xi[t % STAGES][row], *bs = &Xj[t % STAGES][col];
#pragma unroll 8
    for (int kk = 0; kk < BK; ++kk) {
      float a[4], b[4];
      *reinterpret_cast<float4 *>(a) = *reinterpret_cast<const float4 *>(&as[kk * TILE]);
      *reinterpret_cast<float4 *>(b) = *reinterpret_cast<const float4 *>(&bs[kk * TILE]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(&G[(left + row + i) * N + right + col]) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
