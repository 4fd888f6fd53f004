// Rule 2: how far the address of a load goes is counted up in shared memory, by a while loop; the count changes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async --count=order:128 "--count=x:tiles * 129 + 4" -- %cpr
//--- bad.cu
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ order, int tiles) {
  __shared__ float part[128];
  __shared__ int count[128];
  count[threadIdx.x] = 1;
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int j = 0;
    while (j < count[threadIdx.x]) // refused: load-reads-shared
      ++j;
    part[threadIdx.x] = x[t * 128 + threadIdx.x + j];
    __syncthreads();
    sum += part[127 - threadIdx.x] + count[threadIdx.x]++;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ order, int tiles) {
  __shared__ float part[128];
  __shared__ int count[128];
  count[threadIdx.x] = 1;
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int j = 0;
    while (j < count[threadIdx.x])
      ++j;
    part[threadIdx.x] = x[t * 128 + threadIdx.x + j];
    __syncthreads();
    sum += part[127 - threadIdx.x] + count[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
