// Rule 2: asynchronous copies of one thread are not ordered among each other.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void twice(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + 64 + threadIdx.x / 2];
    part[threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: copy-overlap
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void twice(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + 64 + threadIdx.x / 2];
    part[threadIdx.x + 128] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
