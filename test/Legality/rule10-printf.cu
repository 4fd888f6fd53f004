// Rule 10: printf in what moves has its place in time, which one buffer keeps; in the compute phase nothing that it says changes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
#include <stdio.h>
__global__ void effects(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    printf("%d\n", t); // refused: side-effect
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    printf("%f\n", sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
#include <stdio.h>
__global__ void effects(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    printf("%f\n", sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
