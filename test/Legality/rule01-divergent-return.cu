// Rule 1: threads that have returned do not arrive at the barriers.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void early(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n)
    return; // refused: divergent-loop
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void early(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  const int i = blockIdx.x * 128;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
