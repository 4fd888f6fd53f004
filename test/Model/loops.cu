// Which loops are tile loops: those that fill shared memory from global memory and contain a barrier.
// RUN: %cpr --print=loops %s | FileCheck %s --check-prefix=FOUND --implicit-check-not=loop
// RUN: %cpr --print=loops --kernel=second %s -- -DMORE | FileCheck %s --check-prefix=KERNEL --implicit-check-not=loop
#include "Inputs/header.cuh"

namespace ours {
// FOUND: loop ours::first [[#@LINE+4]]:3-[[#@LINE+9]] for __global__
__global__ void first(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    s += tile[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
} // namespace ours

// FOUND: loop second [[#@LINE+4]]:3-[[#@LINE+9]] while __device__
__device__ float second(const float *__restrict__ x, int n) {
  __shared__ float tile[64];
  float s = 0;
  while (n > 0) {
    tile[threadIdx.x] = x[--n * 64 + threadIdx.x];
    __syncthreads();
    s += tile[63 - threadIdx.x];
    __syncthreads();
  }
  return s;
}

// FOUND: loop third [[#@LINE+4]]:3-[[#@LINE+9]] do __global__
__global__ void third(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64];
  float s = 0;
  do {
    tile[threadIdx.x] = x[--n * 64 + threadIdx.x];
    __syncthreads();
    s += tile[63 - threadIdx.x];
    __syncthreads();
  } while (n > 0);
  y[threadIdx.x] = s;
}

// The loop around the tile loop is none.
// FOUND: loop fourth [[#@LINE+4]]:5-[[#@LINE+9]] for __global__
__global__ void fourth(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float tile[64];
  for (int i = 0; i < m; ++i)
    for (int t = 0; t < n; ++t) {
      tile[threadIdx.x] = x[(i * n + t) * 64 + threadIdx.x];
      __syncthreads();
      y[threadIdx.x] += tile[63 - threadIdx.x];
      __syncthreads();
    }
}

// Not: no barrier; nothing from global memory; a host function; a reduction in shared memory.
__global__ void noBarrier(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64];
  for (int t = 0; t < n; ++t)
    tile[threadIdx.x] = x[t * 64 + threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void reduction(const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int w = 32; w > 0; w /= 2) {
    if (threadIdx.x < w)
      tile[threadIdx.x] += tile[threadIdx.x + w];
    __syncthreads();
  }
  y[0] = tile[0];
}
void host(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}

// A template is analysed once for each instantiation, and as it is where there is none.
template <int N> __global__ void fifth(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[N];
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * N + threadIdx.x];
    __syncthreads();
    y[threadIdx.x] += tile[N - 1 - threadIdx.x];
    __syncthreads();
  }
}
// FOUND-COUNT-2: loop fifth [[#@LINE-7]]:3-[[#@LINE-2]] for __global__ template
template __global__ void fifth<64>(const float *, float *, int);
template __global__ void fifth<32>(const float *, float *, int);
template <int N> __global__ void sixth(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[N];
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * N + threadIdx.x];
    __syncthreads();
    y[threadIdx.x] += tile[N - 1 - threadIdx.x];
    __syncthreads();
  }
}
// FOUND: loop sixth [[#@LINE-7]]:3-[[#@LINE-2]] for __global__ uninstantiated-template

// KERNEL: loop second {{[0-9:-]+}} while __device__
