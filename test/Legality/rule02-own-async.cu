// Rule 2: the kernel's own asynchronous copies would be counted with ours: where it waits for them, and where it makes them.
// In front of the loop and behind it they are in nobody's way, and those that are waited for at once are plain copies.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/waits --refused=ldg,ldg-single,cp-async:2,cp-async:4 --count=w:128 -- %cpr
// RUN: %python %S/Inputs/legality.py %t/copies --refused=ldg,ldg-single,cp-async -- %cpr
//--- waits/bad.cu
#include <cuda_pipeline.h>
__global__ void own(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  __pipeline_memcpy_async(&other[threadIdx.x], &w[threadIdx.x], sizeof(float));
  __pipeline_commit();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __pipeline_wait_prior(0); // refused: own-async-copies
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  y[threadIdx.x] = sum * other[threadIdx.x];
}
//--- waits/good.cu
#include <cuda_pipeline.h>
__global__ void own(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  __pipeline_memcpy_async(&other[threadIdx.x], &w[threadIdx.x], sizeof(float));
  __pipeline_commit();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  y[threadIdx.x] = sum * other[threadIdx.x];
}
//--- copies/bad.cu
#include <cuda_pipeline.h>
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __pipeline_memcpy_async(&other[threadIdx.x], &x[t * 128 + 127 - threadIdx.x], sizeof(float)); // refused: own-async-copies
    __pipeline_commit();
    if (t % 2 == 0)
      __pipeline_wait_prior(0);
    __syncthreads();
    sum += part[127 - threadIdx.x] * other[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- copies/good.cu
#include <cuda_pipeline.h>
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __pipeline_memcpy_async(&other[threadIdx.x], &x[t * 128 + 127 - threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += part[127 - threadIdx.x] * other[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
