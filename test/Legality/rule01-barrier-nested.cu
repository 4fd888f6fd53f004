// Rule 1: the barrier behind the load phase stands inside of an if. With one buffer it may.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async -- %cpr
//--- bad.cu
__global__ void late(const float *__restrict__ x, float *__restrict__ y, int tiles, int first) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    if (t >= -first) __syncthreads(); // refused: barrier-nested
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void late(const float *__restrict__ x, float *__restrict__ y, int tiles, int first) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
