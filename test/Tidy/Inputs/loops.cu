// Two kernels with loops of their own, one with two loops that share a tile: parts of one file.
#include <cuda_fp16.h>

__global__ void __launch_bounds__(256) first(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 tile[256];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i].x * tile[255 - i].y + tile[i].z * tile[255 - i].w;
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) shares(const float4 *__restrict__ a, const float4 *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float4 tile[256];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = a[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i].x * tile[255 - i].y;
    __syncthreads();
  }
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = b[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum -= tile[i].z * tile[255 - i].w;
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) last(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 tile[256];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i].x * tile[255 - i].y;
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
