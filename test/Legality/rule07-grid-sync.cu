// Rule 7: a grid-wide barrier needs all blocks resident: none may be lost.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
// It is no matter of opinion.
// RUN: not %cpr %t/bad.cu --variant=ldg-single --assume=co-resident -o %t/out.cu | FileCheck %s --check-prefix=GRANTED
// GRANTED: the kernel waits for other blocks (at a barrier of the grid); it may need all of them resident [co-resident]
// GRANTED: note: to make it possible: Leave it as it is.
//--- bad.cu
#include <cooperative_groups.h>
__global__ void resident(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  cooperative_groups::this_grid().sync(); // refused: co-resident
  y[threadIdx.x] = sum;
}
//--- good.cu
#include <cooperative_groups.h>
__global__ void resident(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
