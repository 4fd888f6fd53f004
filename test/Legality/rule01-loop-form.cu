// Rule 1: the number of turns must be known ahead: a while loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async --hunks=2 -- %cpr
//--- bad.cu
__global__ void waits(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int t = 0;
  while (t < tiles) { // refused: loop-form
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    ++t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void waits(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int t = 0;
  for (; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
