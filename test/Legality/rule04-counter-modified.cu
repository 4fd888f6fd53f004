// Rule 4: where the next tile lies is read from this one.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async "--count=x:tiles * 256" -- %cpr
//--- bad.cu
__global__ void search(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[at * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    at = (int)part[0]; // refused: counter-modified
    // says: 'at'
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void search(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[at * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    at = at + 2;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
