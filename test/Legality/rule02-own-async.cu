// Rule 2: the kernel's own asynchronous copies would be counted with ours.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
#include <cuda_pipeline.h>
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __pipeline_memcpy_async(&other[threadIdx.x], &x[t * 128 + 127 - threadIdx.x], sizeof(float)); // refused: own-async-copies
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += part[127 - threadIdx.x] * other[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
#include <cuda_pipeline.h>
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    other[threadIdx.x] = x[t * 128 + 127 - threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * other[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
