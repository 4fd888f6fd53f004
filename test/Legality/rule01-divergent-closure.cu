// Rule 1: what a closure holds is what it was made from.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/own -- %cpr
// RUN: %python %S/Inputs/legality.py %t/factory -- %cpr
// RUN: %python %S/Inputs/legality.py %t/reference -- %cpr
//--- own/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto mine = [n = threadIdx.x < 64 ? tiles : (tiles + 1) / 2] { return n; };
  for (int t = 0; t < mine(); ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- own/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto mine = [n = blockIdx.x < 64 ? tiles : (tiles + 1) / 2] { return n; };
  for (int t = 0; t < mine(); ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- factory/bad.cu
__device__ auto always(int n) {
  return [n] { return n; };
}
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto mine = always(threadIdx.x < 64 ? tiles : (tiles + 1) / 2);
  for (int t = 0; t < mine(); ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- factory/good.cu
__device__ auto always(int n) {
  return [n] { return n; };
}
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto mine = always(threadIdx.x < 64 ? tiles : (tiles + 1) / 2);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- reference/bad.cu
__device__ auto always(int n) {
  return [n] { return n; };
}
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto mine = always(threadIdx.x < 64 ? tiles : (tiles + 1) / 2);
  auto &same = mine;
  for (int t = 0; t < same(); ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- reference/good.cu
__device__ auto always(int n) {
  return [n] { return n; };
}
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto mine = always(threadIdx.x < 64 ? tiles : (tiles + 1) / 2);
  auto &same = mine;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
