// Rule 12: nothing can be said about a template that nobody uses here.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
template <int N> __global__ void pattern(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[N];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: not-instantiated
    part[threadIdx.x] = x[t * N + threadIdx.x];
    __syncthreads();
    sum += part[N - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
template <int N> __global__ void pattern(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[N];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * N + threadIdx.x];
    __syncthreads();
    sum += part[N - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void pattern<128>(const float *, float *, int);
