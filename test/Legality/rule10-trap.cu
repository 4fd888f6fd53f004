// Rule 10: trap in what moves has its place in time, which one buffer keeps; behind one in the compute phase there are no results.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void effects(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t > 4096) __trap(); // refused: side-effect
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (sum > 1e9f)
      __trap();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void effects(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (sum > 1e9f)
      __trap();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
