// Rule 1: a trip count that differs from warp to warp.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async --count=count:1 "--count=x:4 * 128" -- %cpr
//--- bad.cu
__global__ void ragged(const float *__restrict__ x, const int *__restrict__ count, float *__restrict__ y) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int tiles = count[threadIdx.x / 32];
  for (int t = 0; t < tiles; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void ragged(const float *__restrict__ x, const int *__restrict__ count, float *__restrict__ y) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int tiles = count[blockIdx.x];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
