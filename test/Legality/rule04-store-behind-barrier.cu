// Rule 4: what the stores of the next tile need is changed behind the trailing barrier, where with two buffers they have been
// made already.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void scaled(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f, factor = 1.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x] * factor;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
    factor = sum > 1.0f ? 0.5f : 1.25f; // refused: counter-modified
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void scaled(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f, factor = 1.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x] * 0.5f;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
    factor = sum > 1.0f ? 0.5f : 1.25f;
  }
  y[threadIdx.x] = sum;
}
