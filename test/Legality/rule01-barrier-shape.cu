// Rule 1: three barriers; what stands between the first two neither loads nor computes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void normalise(const float *__restrict__ x, float *__restrict__ y, int tiles, float scale) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: barrier-shape
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    part[threadIdx.x] *= scale;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void normalise(const float *__restrict__ x, float *__restrict__ y, int tiles, float scale) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: barrier-shape
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += scale * part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
