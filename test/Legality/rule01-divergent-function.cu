// Rule 1: threadIdx inside of the function that the condition calls.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__device__ int share(int n) { return n + (threadIdx.x & 1); }
__global__ void ragged(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < share(n); ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- good.cu
__device__ int share(int n) { return n + (blockIdx.x & 1); }
__global__ void ragged(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < share(n); ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
