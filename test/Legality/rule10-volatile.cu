// Rule 10: a volatile read has its place in time.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void polls(const float *__restrict__ x, float *__restrict__ y, const volatile float *gain, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * *gain; // refused: volatile-access
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void polls(const float *__restrict__ x, float *__restrict__ y, const float *gain, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * *gain;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
