// A name may mean something else where the text is repeated, and so may a condition that asks for its line.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/name --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/include --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/conditional --refused=ldg,ldg-single,cp-async "--larger=a conditional is three lines" -- %cpr
//--- name/bad.cu
#define LAST 127
__global__ void directives(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: preprocessor-in-loop
    part[threadIdx.x & LAST] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
#undef LAST
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- name/good.cu
#define LAST 127
__global__ void directives(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x & LAST] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- include/names.inc
#define tiles 4
    sum += part[127 - threadIdx.x];
//--- include/code.inc
    sum += part[127 - threadIdx.x];
//--- include/bad.cu
__global__ void directives(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: preprocessor-in-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
#include "names.inc"
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- include/good.cu
__global__ void directives(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
#include "code.inc"
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- conditional/bad.cu
__global__ void directives(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: preprocessor-in-loop
#if __LINE__ < 3
    t += blockIdx.x;
#endif
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- conditional/good.cu
__global__ void directives(const float *__restrict__ x, float *__restrict__ y, int tiles) {
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
