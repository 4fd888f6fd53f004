// Rule 2: single bytes are too narrow for cp.async.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void bytes(const unsigned char *__restrict__ x, int *__restrict__ y, int tiles) {
  __shared__ unsigned char part[128];
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
__global__ void bytes(const int *__restrict__ x, int *__restrict__ y, int tiles) {
  __shared__ int part[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
