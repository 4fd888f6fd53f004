// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stencil3d_7 by hand: asynchronous copies of 16 bytes with a halo of 16 bytes on both sides, six
// planes in flight.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// Copies nothing and fills with zeros where there is false.
__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
}

constexpr int BX = 32; // places per block in a plane
constexpr int BY = 8;
constexpr int THREADS = BX * BY;
constexpr int ROW = BX + 8; // with a halo of four floats on both sides
constexpr int STAGES = 7;

__global__ void __launch_bounds__(THREADS)
    stencil3d_7(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz,
                float center, float beside) {
  __shared__ __align__(16) float tile[STAGES][(BY + 2) * ROW];
  const int tid = threadIdx.x, tx = tid % BX, ty = tid / BX;
  const int left = blockIdx.x * BX, top = blockIdx.y * BY;
  const int own = (top + ty) * nx + left + tx;
  const int plane = nx * ny;

  // At most one chunk per thread, at the same place of each plane.
  const int y = top + tid / (ROW / 4) - 1, x = left + tid % (ROW / 4) * 4 - 4;
  const bool copies = tid < (BY + 2) * ROW / 4, there = x >= 0 && x < nx && y >= 0 && y < ny;
  const float *from = there ? &in[y * nx + x] : in;
  auto fetch = [&](int z) {
    if (copies)
      copy16(&tile[z % STAGES][tid * 4], there ? from + z * plane : in, there);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < nz)
      fetch(t);
    __pipeline_commit();
  }

  float below = 0.0f,
        open = 0.0f; // the value of the plane before, and its sum but for the plane above
  for (int t = 0; t < nz; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < nz)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float *at = &tile[t % STAGES][(ty + 1) * ROW + tx + 4];
    const float value = *at;
    if (t > 0)
      out[(t - 1) * plane + own] = fmaf(beside, value, open);
    open = center * value;
    open = fmaf(beside, below, open);
    open = fmaf(beside, at[-1], open);
    open = fmaf(beside, at[1], open);
    open = fmaf(beside, at[-ROW], open);
    open = fmaf(beside, at[ROW], open);
    below = value;
  }
  if (nz > 0)
    out[(nz - 1) * plane + own] = open;
}
