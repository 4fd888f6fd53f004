// Rule 9: the condition reads shared memory that the loop writes, a tile earlier than it would be written. What nobody writes
// may be read ahead.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/written --refused=ldg,ldg-single,cp-async --count=more:1 -- %cpr
//--- bad.cu
__global__ void list(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ int last;
  if (threadIdx.x == 0)
    last = tiles;
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < last; ++t) { // refused: condition-reads-memory
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (threadIdx.x == 0 && part[0] < 0.0f)
      last = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void list(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ int last;
  if (threadIdx.x == 0)
    last = tiles;
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < last; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- written/bad.cu
__global__ void list(const float *__restrict__ x, float *__restrict__ y, int *__restrict__ more, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles && t < *(const volatile int *)more; ++t) { // refused: condition-reads-memory
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- written/good.cu
__global__ void list(const float *__restrict__ x, float *__restrict__ y, int *__restrict__ more, int tiles) {
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
