// What one iteration does. Facts of each loop are counted by hand.
// RUN: %cpr --print=tiles %s | FileCheck %s
#include <cuda_fp16.h>

// CHECK-LABEL: loop classic
// CHECK-NEXT: phase load: 2 statements from line [[#@LINE+13]]
// CHECK-NEXT: phase barrier: 1 statement from line [[#@LINE+14]]
// CHECK-NEXT: phase compute: 1 statement from line [[#@LINE+14]]
// CHECK-NEXT: phase barrier: 1 statement from line [[#@LINE+15]]
// CHECK-NEXT: buffer As static [16][16] float 1024 bytes, aligned 4
// CHECK-NEXT: buffer Bs static [16][17] float 1088 bytes, aligned 4
// CHECK-NEXT: copy to As line [[#@LINE+7]]: 4 bytes, from A (global)
// CHECK-NEXT: copy to Bs line [[#@LINE+7]]: 4 bytes, from B (global)
__global__ void classic(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K, int N) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16 + 1];
  float c = 0;
  for (int t = 0; t < K / 16; ++t) {
    As[threadIdx.y][threadIdx.x] = A[threadIdx.y * K + t * 16 + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * 16 + threadIdx.y) * N + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      c += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.y * N + threadIdx.x] = c;
}
// CHECK: load state: t
// CHECK-NEXT: split: t

// Vectors, transposed; pointers that are advanced for the load only.
// CHECK-LABEL: loop transposed
// CHECK: buffer As static [512] float 2048 bytes, aligned 4
// CHECK-NEXT: buffer Bs static [8][64] float 2048 bytes, aligned 16
// CHECK-COUNT-4: copy to As line {{[0-9]+}}: 4 bytes, through v, from A (global)
// CHECK: copy to Bs line {{[0-9]+}}: 16 bytes, from B (global)
// CHECK-NEXT: register for v: float4
// CHECK-NEXT: register for Bs: float4
// CHECK-NEXT: advance line [[#@LINE+17]] load
// CHECK-NEXT: advance line [[#@LINE+17]] load
// CHECK: load state: A B k
// CHECK-NEXT: split: k{{$}}
__global__ void transposed(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K, int N) {
  __shared__ float As[8 * 64];
  __shared__ float Bs[8][64];
  const int r = threadIdx.x / 2, c = threadIdx.x % 2 * 4;
  float s = 0;
  for (int k = 0; k < K; k += 8) {
    float4 v = *(const float4 *)&A[r * K + c];
    As[(c + 0) * 64 + r] = v.x;
    As[(c + 1) * 64 + r] = v.y;
    As[(c + 2) * 64 + r] = v.z;
    As[(c + 3) * 64 + r] = v.w;
    *(float4 *)&Bs[threadIdx.x / 16][threadIdx.x % 16 * 4] = *(const float4 *)&B[threadIdx.x / 16 * N + threadIdx.x % 16 * 4];
    __syncthreads();
    A += 8;
    B += 8 * N;
    for (int i = 0; i < 8; ++i)
      s += As[i * 64 + r] * Bs[i][threadIdx.x % 64];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}

// Strided copies; fills; what is only guarded.
// CHECK-LABEL: loop guards
// CHECK: buffer a static [200] __half 400 bytes, aligned 2
// CHECK: buffer b static [64] float 256 bytes
// CHECK: buffer c static [64] float 256 bytes
// CHECK: buffer d static [64] float 256 bytes
// CHECK: buffer e static [64] float 256 bytes
// CHECK: copy to a line {{[0-9]+}}: 2 bytes, from h (global), at most 4 turns
// CHECK: copy to b line {{[0-9]+}}: 4 bytes, zero-fill, from x (global)
// CHECK: copy to c line {{[0-9]+}}: 4 bytes, zero-fill, from x (global)
// CHECK: copy to c line {{[0-9]+}}: 4 bytes, fill, zero-fill
// CHECK: copy to d line {{[0-9]+}}: 4 bytes, guarded, from x (global)
// CHECK: copy to e line {{[0-9]+}}: 4 bytes, computed
__global__ void guards(const __half *__restrict__ h, const float *__restrict__ x, float *__restrict__ y, int n, int len) {
  __shared__ __half a[200];
  __shared__ float b[64], c[64], d[64], e[64];
  const int tid = threadIdx.x;
  float s = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = tid; i < 200; i += 64)
      a[i] = h[t * 200 + i];
    b[tid] = t * 64 + tid < len ? x[t * 64 + tid] : 0.f;
    if (t * 64 + tid < len)
      c[tid] = x[t * 64 + tid];
    else
      c[tid] = 0.f;
    if (tid < 32)
      d[tid] = x[t * 32 + tid];
    e[tid] = 2.f * x[t * 64 + tid];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s += __half2float(a[i]) + b[i] + c[i] + d[i % 32] + e[i];
    __syncthreads();
  }
  y[tid] = s;
}

// State that both sides use; an advance of each side; the tile is declared in the loop.
// CHECK-LABEL: loop sides
// CHECK: buffer tile static [64] float 256 bytes, aligned 4, declared in the loop
// CHECK: advance line [[#@LINE+14]] load compute
// CHECK: advance line [[#@LINE+14]] load{{$}}
// CHECK: advance line [[#@LINE+14]] compute{{$}}
// CHECK: split: both t{{$}}
__global__ void sides(const float *__restrict__ x, float *__restrict__ y, int n) {
  float s = 0;
  int both = 0, forLoad = 0, forCompute = 0;
  for (int t = 0; t < n; ++t) {
    __shared__ float tile[64];
    tile[threadIdx.x] = x[both * 64 + forLoad + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s += tile[i] * both + forCompute;
    __syncthreads();
    both += 2;
    forLoad += 64;
    forCompute += 3;
  }
  y[threadIdx.x] = s;
}

// CHECK-LABEL: loop outside
// CHECK: buffer tile static [64] float 256 bytes, aligned 4, used outside
__global__ void outside(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    s += tile[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s + tile[threadIdx.x];
}

// CHECK-LABEL: loop dynamic
// CHECK: buffer pool dynamic {{.*}}float 0 bytes
__global__ void dynamic(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float pool[];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    pool[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    s += pool[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
