// Rule 4: what the compute phase stores may be what the next tile is loaded from.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void stream(const float *x, float *y, int tiles) {
  __shared__ float part[128];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    y[t * 128 + threadIdx.x] = part[127 - threadIdx.x]; // refused: may-alias
    // says: 'x'
    __syncthreads();
  }
}
//--- good.cu
__global__ void stream(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    y[t * 128 + threadIdx.x] = part[127 - threadIdx.x];
    __syncthreads();
  }
}
