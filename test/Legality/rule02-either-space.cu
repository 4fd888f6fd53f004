// Rule 2: one of the two places that the pointer may point to is constant memory.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single "--count=x:(tiles + 1) * 128" -- %cpr
//--- bad.cu
__constant__ float weights[1024];
__global__ void either(const float *__restrict__ x, float *__restrict__ y, int tiles, bool own) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = own ? weights : x;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x]; // refused: load-not-global
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__constant__ float weights[1024];
__global__ void either(const float *__restrict__ x, float *__restrict__ y, int tiles, bool own) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = own ? x + 128 : x;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
