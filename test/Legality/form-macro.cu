// A statement that comes out of a macro cannot be cut in two.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
#define LOAD(t) part[threadIdx.x] = x[(t) * 128 + threadIdx.x]
#define AT(t) x[(t) * 128 + threadIdx.x]
__global__ void macros(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    LOAD(t); // refused: macro-text
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
#define LOAD(t) part[threadIdx.x] = x[(t) * 128 + threadIdx.x]
#define AT(t) x[(t) * 128 + threadIdx.x]
__global__ void macros(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = AT(t);
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
