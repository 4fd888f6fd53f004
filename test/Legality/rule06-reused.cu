// Rule 6: the buffer serves a reduction behind the loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void reused(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  { // the reduction's scope
    part[threadIdx.x] = sum;
    __syncthreads();
    y[threadIdx.x] = part[127 - threadIdx.x]; // refused: tile-used-outside
  }
}
//--- good.cu
__global__ void reused(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  { // the reduction's scope
    __shared__ float part[128];
    part[threadIdx.x] = sum;
    __syncthreads();
    y[threadIdx.x] = part[127 - threadIdx.x];
  }
}
