// Rule 1: 'break' leaves or shortcuts the body.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void leaving(const float *__restrict__ x, float *__restrict__ y, int tiles, float limit) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
    if (sum > limit)
      break; // refused: early-exit
    // says: 'break'
    sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void leaving(const float *__restrict__ x, float *__restrict__ y, int tiles, float limit) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
    if (sum > limit)
      sum = 0.0f;
    sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}
