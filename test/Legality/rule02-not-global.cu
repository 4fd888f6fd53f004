// Rule 2: cp.async cannot read constant memory; registers can.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
__constant__ float weights[1024];
__global__ void constant(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = weights[t * 128 + threadIdx.x]; // refused: load-not-global
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__constant__ float weights[1024];
__global__ void constant(const float *__restrict__ x, float *__restrict__ y, int tiles) {
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
