// Rule 1: a reference is another variable in some threads, or holds what each thread has of its own.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/variable -- %cpr
// RUN: %python %S/Inputs/legality.py %t/element -- %cpr
// RUN: %python %S/Inputs/legality.py %t/binding -- %cpr
// RUN: %python %S/Inputs/legality.py %t/written -- %cpr
// RUN: %python %S/Inputs/legality.py %t/thread -- %cpr
// RUN: %python %S/Inputs/legality.py %t/temporary -- %cpr
// RUN: %python %S/Inputs/legality.py %t/call -- %cpr
// RUN: %python %S/Inputs/legality.py %t/structure -- %cpr
//--- variable/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int half = (tiles + 1) / 2;
  const int &mine = threadIdx.x < 64 ? tiles : half;
  for (int t = 0; t < mine; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- variable/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int half = (tiles + 1) / 2;
  const int &mine = blockIdx.x < 64 ? tiles : half;
  for (int t = 0; t < mine; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- element/bad.cu
__constant__ int halves[2] = {0, 1};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int &half = halves[threadIdx.x / 64];
  for (int t = 0; t < tiles - half * (tiles / 2); ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- element/good.cu
__constant__ int halves[2] = {0, 1};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int &half = halves[blockIdx.x / 64];
  for (int t = 0; t < tiles - half * (tiles / 2); ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- binding/bad.cu
struct Two {
  int a, b;
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Two p = {tiles, 0}, q = {(tiles + 1) / 2, 0};
  auto &[n, rest] = threadIdx.x < 64 ? p : q;
  for (int t = 0; t < n; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- binding/good.cu
struct Two {
  int a, b;
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Two p = {tiles, 0}, q = {(tiles + 1) / 2, 0};
  auto &[n, rest] = blockIdx.x < 64 ? p : q;
  for (int t = 0; t < n; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- written/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int a = 0, b = 0;
  int &mine = threadIdx.x < 64 ? a : b;
  mine = tiles / 2;
  for (int t = 0; t < tiles - a; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- written/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int a = 0, b = 0;
  int &mine = blockIdx.x < 64 ? a : b;
  mine = tiles / 2;
  for (int t = 0; t < tiles - a; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- thread/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const auto &lane = threadIdx.x;
  const int mine = lane < 64 ? tiles : (tiles + 1) / 2;
  for (int t = 0; t < mine; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- thread/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const auto &lane = blockIdx.x;
  const int mine = lane < 64 ? tiles : (tiles + 1) / 2;
  for (int t = 0; t < mine; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- temporary/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int &&less = 0;
  int &same = less;
  same = threadIdx.x < 64 ? 0 : tiles / 2;
  for (int t = 0; t < tiles - less; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- temporary/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int &&less = 0;
  int &same = less;
  same = blockIdx.x < 64 ? 0 : tiles / 2;
  for (int t = 0; t < tiles - less; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- call/bad.cu
__device__ int last(int n) { return threadIdx.x < 64 ? n : (n + 1) / 2; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int &end = last(tiles);
  for (int t = 0; t < end; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- call/good.cu
__device__ int last(int n) { return blockIdx.x < 64 ? n : (n + 1) / 2; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int &end = last(tiles);
  for (int t = 0; t < end; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- structure/bad.cu
struct Bounds {
  int first, last;
};
__device__ Bounds bounds(int n) { return {0, threadIdx.x < 64 ? n : (n + 1) / 2}; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const auto &[first, last] = bounds(tiles);
  for (int t = first; t < last; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- structure/good.cu
struct Bounds {
  int first, last;
};
__device__ Bounds bounds(int n) { return {0, blockIdx.x < 64 ? n : (n + 1) / 2}; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const auto &[first, last] = bounds(tiles);
  for (int t = first; t < last; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
