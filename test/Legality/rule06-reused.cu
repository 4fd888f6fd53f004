// Rule 6: the buffer serves a reduction behind the loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single --hunks=3 -- %cpr
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
  part[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = part[127 - threadIdx.x]; // refused: tile-used-outside
}
//--- good.cu
__global__ void reused(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], all[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  all[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = all[127 - threadIdx.x];
}
