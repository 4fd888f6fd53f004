// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hgemm_int8_64x128x32 by hand: the bytes of the next tile of A, sixteen per thread, in registers,
// converted behind the products of this one; B by asynchronous copies, four stages; swizzled tiles,
// ldmatrix and mma.sync.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

constexpr int BM = 64; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 64;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int STAGES = 4; // of B; A has two

// Eight rows of one column of chunks lie in eight different groups of banks.
__device__ __forceinline__ int placeInA(int row, int col) {
  return row * BK + (((col / 8) ^ ((row >> 1) & 3)) * 8);
}
__device__ __forceinline__ int placeInB(int row, int col) {
  return row * BN + (((col / 8) ^ (row & 7)) * 8);
}
__device__ __forceinline__ void loadA(unsigned (&r)[4], const half *from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
}
__device__ __forceinline__ void loadB(unsigned (&r)[2], unsigned (&next)[2], const half *from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(next[0]), "=r"(next[1])
               : "r"(at)
               : "memory");
}
__device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// Four bytes as four halves.
__device__ __forceinline__ uint2 convert(int bytes, float scale) {
  const unsigned a = __half_as_ushort(__float2half(static_cast<int8_t>(bytes) * scale));
  const unsigned b = __half_as_ushort(__float2half(static_cast<int8_t>(bytes >> 8) * scale));
  const unsigned c = __half_as_ushort(__float2half(static_cast<int8_t>(bytes >> 16) * scale));
  const unsigned d = __half_as_ushort(__float2half(static_cast<int8_t>(bytes >> 24) * scale));
  return make_uint2(b << 16 | a, d << 16 | c);
}

__global__ void __launch_bounds__(THREADS)
    hgemm_int8_64x128x32(const int8_t *__restrict__ A, const float *__restrict__ scales,
                         const half *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ __align__(128) half As[2][BM * BK];
  __shared__ __align__(128) half Bs[STAGES][BK * BN];

  const int tid = threadIdx.x, lane = tid % 32;
  const int warpRow = tid / 32 / (BN / WN) * WM;
  const int warpCol = tid / 32 % (BN / WN) * WN;
  const int tiles = K / BK;
  const int aRow = tid / 2, aCol = tid % 2 * 16;
  const int bRow = tid / (BN / 8), bCol = tid % (BN / 8) * 8;
  const float scale = tiles > 0 ? scales[blockIdx.y * BM + aRow] : 0.0f;
  A += (blockIdx.y * BM + aRow) * K + aCol;
  B += bRow * N + blockIdx.x * BN + bCol;

  int4 next = {};
  auto fetch = [&](int tile) {
#pragma unroll
    for (int r = 0; r < BK; r += THREADS / (BN / 8))
      __pipeline_memcpy_async(&Bs[tile % STAGES][placeInB(bRow + r, bCol)], B + (tile * BK + r) * N,
                              16);
  };
  auto store = [&](int stage) {
    const uint2 a = convert(next.x, scale), b = convert(next.y, scale), c = convert(next.z, scale),
                d = convert(next.w, scale);
    *reinterpret_cast<uint4 *>(&As[stage][placeInA(aRow, aCol)]) = make_uint4(a.x, a.y, b.x, b.y);
    *reinterpret_cast<uint4 *>(&As[stage][placeInA(aRow, aCol + 8)]) =
        make_uint4(c.x, c.y, d.x, d.y);
  };
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
    if (t < tiles)
      fetch(t);
    __pipeline_commit();
  }
  if (tiles > 0) {
    next = *reinterpret_cast<const int4 *>(A);
    store(0);
  }

  float acc[WM / 16][WN / 8][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    __pipeline_commit();
    const bool more = t + 1 < tiles;
    if (more)
      next = *reinterpret_cast<const int4 *>(A + (t + 1) * BK);

#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) {
      unsigned a[WM / 16][4], b[WN / 8][2];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
        loadA(a[i], &As[t % 2][placeInA(warpRow + i * 16 + lane % 16, kk + lane / 16 * 8)]);
#pragma unroll
      for (int j = 0; j < WN / 8; j += 2)
        loadB(b[j], b[j + 1],
              &Bs[t % STAGES][placeInB(kk + lane % 16, warpCol + j * 8 + lane / 16 * 8)]);
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j)
          multiply(acc[i][j], a[i], b[j]);
    }
    if (more)
      store((t + 1) % 2);
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
