// Rule 2: single bytes are too narrow for cp.async.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
using Element = unsigned char;
__global__ void elements(const Element *__restrict__ x, int *__restrict__ y, int tiles) {
  __shared__ Element part[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
using Element = int;
__global__ void elements(const Element *__restrict__ x, int *__restrict__ y, int tiles) {
  __shared__ Element part[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
