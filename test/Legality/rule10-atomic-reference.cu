// Rule 10: an operator of cuda::atomic_ref is an atomic access to what it refers to, here to what is loaded next.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t "--count=x:(tiles + 1) * 128" -- %cpr
//--- bad.cu
#include <cuda/atomic>
__global__ void pushes(const int *__restrict__ x, int *y, int tiles) {
  __shared__ int part[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = y[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    cuda::atomic_ref<int, cuda::thread_scope_block>(y[(t + 1) * 128 + threadIdx.x]) += sum; // refused: unknown-call
    __syncthreads();
  }
  y[8192 + threadIdx.x] = sum;
}
//--- good.cu
#include <cuda/atomic>
__global__ void pushes(const int *__restrict__ x, int *y, int tiles) {
  __shared__ int part[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = y[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    sum += x[(t + 1) * 128 + threadIdx.x];
    __syncthreads();
  }
  y[8192 + threadIdx.x] = sum;
}
