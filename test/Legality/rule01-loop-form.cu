// Rule 1: the number of turns must be known ahead: the head of a while loop does not say how it goes on.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void waits(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int t = 0, tile = 0;
  while (t < tiles) { // refused: loop-form
    part[threadIdx.x] = x[tile * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    t = ++tile;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void waits(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int t = 0, tile = 0;
  for (; t < tiles; ++t) {
    part[threadIdx.x] = x[tile * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    t = ++tile;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
