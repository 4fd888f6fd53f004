// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// smooth_2048 by hand: asynchronous copies of 16 bytes with a halo of 16 bytes on both sides, three
// stages of four tiles each, four elements per thread. An array whose size is no multiple of four
// is copied by element.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// Copies nothing and fills with zeros where there is false.
__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
}

constexpr int THREADS = 256;
constexpr int WIDTH = 4 * THREADS; // elements per stage
constexpr int STAGES = 3;

__device__ __forceinline__ float smooth(float a, float b, float c, float d, float e) {
  float v = 0.4f * c;
  v = fmaf(0.2f, b, v);
  v = fmaf(0.2f, d, v);
  v = fmaf(0.1f, a, v);
  v = fmaf(0.1f, e, v);
  return v;
}

__global__ void __launch_bounds__(THREADS, 8)
    smooth_2048(const float *__restrict__ in, float *__restrict__ out, int n, int tiles) {
  __shared__ __align__(16) float tile[STAGES][WIDTH + 8];
  const int tid = threadIdx.x;
  const int begin = blockIdx.x * tiles * THREADS;
  const int end = min(n, begin + tiles * THREADS);
  const int stages = end > begin ? (end - begin + WIDTH - 1) / WIDTH : 0;
  const bool wide = n % 4 == 0 && reinterpret_cast<size_t>(in) % 16 == 0 &&
                    reinterpret_cast<size_t>(out) % 16 == 0;

  auto fetch = [&](int stage) {
    float *to = tile[stage % STAGES];
    const int first = begin + stage * WIDTH - 4;
    if (wide) {
      for (int i = tid; i < WIDTH / 4 + 2; i += THREADS) {
        const int x = first + i * 4;
        const bool there = x >= 0 && x < n;
        copy16(&to[i * 4], there ? &in[x] : in, there);
      }
    } else {
      for (int i = tid; i < WIDTH + 8; i += THREADS) {
        const int x = first + i;
        to[i] = x >= 0 && x < n ? in[x] : 0.0f;
      }
    }
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < stages)
      fetch(t);
    __pipeline_commit();
  }

  for (int t = 0; t < stages; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < stages)
      fetch(t + STAGES - 1);
    __pipeline_commit();

    const float4 *from = reinterpret_cast<const float4 *>(tile[t % STAGES]) + tid;
    const float4 a = from[0], b = from[1], c = from[2];
    const float4 v = make_float4(smooth(a.z, a.w, b.x, b.y, b.z), smooth(a.w, b.x, b.y, b.z, b.w),
                                 smooth(b.x, b.y, b.z, b.w, c.x), smooth(b.y, b.z, b.w, c.x, c.y));
    const int x = begin + t * WIDTH + tid * 4;
    if (wide && x < end) {
      *reinterpret_cast<float4 *>(&out[x]) = v;
    } else {
      if (x < end)
        out[x] = v.x;
      if (x + 1 < end)
        out[x + 1] = v.y;
      if (x + 2 < end)
        out[x + 2] = v.z;
      if (x + 3 < end)
        out[x + 3] = v.w;
    }
  }
}
