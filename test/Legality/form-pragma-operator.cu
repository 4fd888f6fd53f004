// The copy loop has its hint already, in the form of an operator, and with a comment behind the directive.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused= --legal=ldg,ldg-single,cp-async -- %cpr
//--- good.cu
__global__ void op(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    _Pragma("unroll") for (int i = threadIdx.x; i < 128; i += 128) part[i] = x[t * 128 + i];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
#pragma unroll
    // By words.
    for (int i = threadIdx.x; i < 128; i += 128)
      part[i] = x[t * 128 + i];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
