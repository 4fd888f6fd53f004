// Rule 10: atomic has its place in time.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void effects(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    atomicAdd(&y[0], sum); // refused: side-effect
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
    y[1] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
