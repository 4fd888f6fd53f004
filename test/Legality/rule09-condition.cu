// Rule 9: the condition reads memory that the original would not have touched yet.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void list(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ more, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; more[t]; ++t) { // refused: condition-reads-memory
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void list(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ more, int tiles) {
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
