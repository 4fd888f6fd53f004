// Rule 4: the compute phase changes the end of the loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void stops(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int last = tiles;
  for (int t = 0; t < last; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (t == 7)
      last = 8; // refused: counter-modified
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void stops(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int last = tiles;
  for (int t = 0; t < last; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (t == 7)
      sum *= 8;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
