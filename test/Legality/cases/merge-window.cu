// The window that comes next depends on what was found in this one, and the condition lies in shared memory.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; top < n; ++i) { // refused: condition-reads-memory
    window[threadIdx.x] = list[i * 128 + threadIdx.x];
    __syncthreads();
    sum += window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 1 + (window[0] & 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    window[threadIdx.x] = list[i * 128 + threadIdx.x];
    __syncthreads();
    sum += window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 1 + (window[0] & 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
