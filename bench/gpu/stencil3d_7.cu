// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Family: seven-point stencil in three dimensions that marches along z with a 2-D tile, guarded
// loads of one float with halo.
// Expected limit: bandwidth of global memory.
#include <cuda_runtime.h>

constexpr int BX = 32; // places per block in a plane
constexpr int BY = 8;
constexpr int THREADS = BX * BY;

// nx is a multiple of BX, ny of BY; past the faces are zeros.
__global__ void __launch_bounds__(THREADS)
    stencil3d_7(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz,
                float center, float beside) {
  __shared__ float tile[BY + 2][BX + 2];
  const int tid = threadIdx.x, tx = tid % BX, ty = tid / BX;
  const int left = blockIdx.x * BX, top = blockIdx.y * BY;
  const int own = (top + ty) * nx + left + tx;

  float below = 0.0f,
        open = 0.0f; // the value of the plane before, and its sum but for the plane above
  for (int z = 0; z < nz; ++z) {
    for (int i = tid; i < (BY + 2) * (BX + 2); i += THREADS) {
      const int r = i / (BX + 2), s = i % (BX + 2);
      const int y = top + r - 1, x = left + s - 1;
      tile[r][s] = x >= 0 && x < nx && y >= 0 && y < ny ? in[(z * ny + y) * nx + x] : 0.0f;
    }
    __syncthreads();
    const float value = tile[ty + 1][tx + 1];
    if (z > 0)
      out[(z - 1) * ny * nx + own] = fmaf(beside, value, open);
    open = center * value;
    open = fmaf(beside, below, open);
    open = fmaf(beside, tile[ty + 1][tx], open);
    open = fmaf(beside, tile[ty + 1][tx + 2], open);
    open = fmaf(beside, tile[ty][tx + 1], open);
    open = fmaf(beside, tile[ty + 2][tx + 1], open);
    below = value;
    __syncthreads();
  }
  if (nz > 0)
    out[(nz - 1) * ny * nx + own] = open;
}
