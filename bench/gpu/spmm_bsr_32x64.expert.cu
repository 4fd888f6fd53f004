// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spmm_bsr_32x64 by hand: asynchronous copies, four stages in 48 KB; the column of the block after
// those in flight is read one turn ahead; A is read as float4.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int SIZE = 32;     // rows and columns of a block of the sparse matrix
constexpr int BN = 64;       // columns of the dense matrix per thread block
constexpr int THREADS = 256; // 16 x 16, 2 x 4 elements each
constexpr int STAGES = 4;

__global__ void __launch_bounds__(THREADS)
    spmm_bsr_32x64(const float *__restrict__ blocks, const int *__restrict__ columns,
                   const float *__restrict__ dense, float *__restrict__ out, int perRow, int N) {
  __shared__ __align__(16) float As[STAGES][SIZE * SIZE];
  __shared__ __align__(16) float Bs[STAGES][SIZE * BN];
  const int tid = threadIdx.x;
  const int row = tid / 16 * 2, col = tid % 16 * 4;
  const int left = blockIdx.x * BN;
  blocks += static_cast<size_t>(blockIdx.y) * perRow * SIZE * SIZE + tid * 4;
  columns += blockIdx.y * perRow;
  dense += row / 2 * N + left + col;

  auto fetch = [&](int b, int column) {
    const int stage = b % STAGES;
    const float *from = dense + column * SIZE * N;
    __pipeline_memcpy_async(&As[stage][tid * 4], blocks + b * SIZE * SIZE, 16);
    __pipeline_memcpy_async(&Bs[stage][tid * 4], from, 16);
    __pipeline_memcpy_async(&Bs[stage][SIZE / 2 * BN + tid * 4], from + SIZE / 2 * N, 16);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < perRow)
      fetch(t, columns[t]);
    __pipeline_commit();
  }
  int column = STAGES - 1 < perRow ? columns[STAGES - 1] : 0;

  float acc[2][4] = {};
  for (int t = 0; t < perRow; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < perRow)
      fetch(t + STAGES - 1, column);
    __pipeline_commit();
    if (t + STAGES < perRow)
      column = columns[t + STAGES];

    const float *as = &As[t % STAGES][row * SIZE], *bs = &Bs[t % STAGES][col];
#pragma unroll
    for (int k4 = 0; k4 < SIZE; k4 += 4) {
      float a[2][4];
      *reinterpret_cast<float4 *>(a[0]) = *reinterpret_cast<const float4 *>(&as[k4]);
      *reinterpret_cast<float4 *>(a[1]) = *reinterpret_cast<const float4 *>(&as[SIZE + k4]);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const float4 b = *reinterpret_cast<const float4 *>(&bs[(k4 + k) * BN]);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          acc[i][0] += a[i][k] * b.x;
          acc[i][1] += a[i][k] * b.y;
          acc[i][2] += a[i][k] * b.z;
          acc[i][3] += a[i][k] * b.w;
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
    *reinterpret_cast<float4 *>(&out[(blockIdx.y * SIZE + row + i) * N + left + col]) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
