// Rule 1: threads that wait at another barrier, in a loop that not all of them run equally often, meet those that have come
// to the tile loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async --count=count:1 -- %cpr
//--- bad.cu
__global__ void two(const float *__restrict__ x, float *__restrict__ y, int tiles, const int *__restrict__ count) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int i = 0; i < count[threadIdx.x]; ++i) {
    sum += 1.0f;
    __syncthreads(); // refused: divergent-loop
  }
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void two(const float *__restrict__ x, float *__restrict__ y, int tiles, const int *__restrict__ count) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int i = 0; i < count[blockIdx.x]; ++i) {
    sum += 1.0f;
    __syncthreads();
  }
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
