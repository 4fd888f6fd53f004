// Rule 1: what is behind the trailing barrier meets the next iteration's load without one.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void race(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[threadIdx.x ^ 1];
    __syncthreads();
    sum -= part[127 - threadIdx.x]; // refused: missing-barrier
    // says: 'part' is read here and overwritten by the next iteration's load
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void race(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[threadIdx.x ^ 1];
    __syncthreads();
    sum -= 0.125f;
  }
  y[threadIdx.x] = sum;
}
