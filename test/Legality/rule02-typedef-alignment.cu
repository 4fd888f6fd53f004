// Rule 2: a type that is declared with less alignment than the one that it is another name for.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single "--count=x:tiles * 256" -- %cpr
//--- bad.cu
typedef double __attribute__((aligned(4))) loose; // one word off
__global__ void doubles(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ double part[128];
  double sum = 0.0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = reinterpret_cast<const loose *>(x)[t * 128 + threadIdx.x]; // refused: copy-width
    // says: 4 bytes
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
typedef double loose; // one word off
__global__ void doubles(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ double part[128];
  double sum = 0.0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = reinterpret_cast<const loose *>(x)[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
