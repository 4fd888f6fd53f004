// Rule 2: the load phase writes global memory.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void logging(const float *__restrict__ x, float *__restrict__ y, float *__restrict__ log, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    log[t * 128 + threadIdx.x] = 1.0f; // refused: load-side-effect
    __syncthreads();
    sum += part[127 - threadIdx.x];
    log[t * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void logging(const float *__restrict__ x, float *__restrict__ y, float *__restrict__ log, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    log[t * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
