// Rule 2: an index out of shared memory, which the compute phase changes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async --count=order:128 -- %cpr
//--- bad.cu
__global__ void lookup(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ order, int tiles) {
  __shared__ float part[128];
  __shared__ int first[128];
  first[threadIdx.x] = order[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + first[127 - threadIdx.x]]; // refused: load-reads-shared
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (t % 2 == 0)
      first[threadIdx.x] = order[threadIdx.x] + 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void lookup(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ order, int tiles) {
  __shared__ float part[128];
  __shared__ int first[128];
  first[threadIdx.x] = order[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + first[127 - threadIdx.x]];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
