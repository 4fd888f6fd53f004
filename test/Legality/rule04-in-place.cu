// Rule 4: two pointers into one array: restrict does not help, and no-alias cannot be granted.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t --options=--assume=no-alias -- %cpr
//--- bad.cu
__global__ void inPlace(float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float *next = x + 128;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    next[t * 128 + threadIdx.x] = part[127 - threadIdx.x]; // refused: may-alias
    __syncthreads();
  }
}
//--- good.cu
__global__ void inPlace(float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float *next = y + 128;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    next[t * 128 + threadIdx.x] = part[127 - threadIdx.x];
    __syncthreads();
  }
}
