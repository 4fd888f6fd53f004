// Rule 1: what is written to a place that is not known, or by what is not seen, may be any variable that has another name.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/returned --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/member --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/method --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/pointer --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/destructor --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/object --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/part --refused=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/lambda --refused=ldg,ldg-single -- %cpr
//--- returned/bad.cu
__device__ int &self(int &v) { return v; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0;
  self(less) = threadIdx.x < 64 ? 0 : tiles / 2;
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
//--- returned/good.cu
__device__ int &self(int &v) { return v; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0;
  less = blockIdx.x < 64 ? 0 : tiles / 2;
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
//--- member/bad.cu
struct Box {
  int *p;
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0;
  Box box = {&less};
  *box.p = threadIdx.x < 64 ? 0 : tiles / 2;
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
//--- member/good.cu
struct Box {
  int *p;
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0;
  Box box = {&less};
  less = blockIdx.x < 64 ? 0 : tiles / 2;
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
//--- method/bad.cu
struct Box {
  int n;
  __device__ void set(int v) { n = v; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Box box = {0};
  Box *p = &box;
  p->set(threadIdx.x < 64 ? 0 : tiles / 2);
  for (int t = 0; t < tiles - box.n; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- method/good.cu
struct Box {
  int n;
  __device__ void set(int v) { n = v; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Box box = {0};
  Box *p = &box;
  p->set(blockIdx.x < 64 ? 0 : tiles / 2);
  for (int t = 0; t < tiles - box.n; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- pointer/bad.cu
__device__ void half(int &v, int n) { v = blockIdx.x < 64 ? 0 : n / 2; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  void (*f)(int &, int) = half;
  int less = 0, other = 0;
  f(less, tiles);
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
//--- pointer/good.cu
__device__ void half(int &v, int n) { v = blockIdx.x < 64 ? 0 : n / 2; }
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  void (*f)(int &, int) = half;
  int less = 0, other = 0;
  f(other, tiles);
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
//--- destructor/bad.cu
struct Guard {
  int &r;
  int n;
  __device__ ~Guard() { r = threadIdx.x < 64 ? 0 : n / 2; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0, other = 0;
  {
    Guard g{less, tiles};
  }
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
//--- destructor/good.cu
struct Guard {
  int &r;
  int n;
  __device__ ~Guard() { r = threadIdx.x < 64 ? 0 : n / 2; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0, other = 0;
  {
    Guard g{other, tiles};
  }
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
//--- object/bad.cu
struct Guard {
  int &r;
  __device__ void set(int v) const { r = v; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0, other = 0;
  const Guard g{less};
  g.set(threadIdx.x < 64 ? 0 : tiles / 2);
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
//--- object/good.cu
struct Guard {
  int &r;
  __device__ void set(int v) const { r = v; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0, other = 0;
  const Guard g{other};
  g.set(threadIdx.x < 64 ? 0 : tiles / 2);
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
//--- part/bad.cu
struct Two {
  int a, b;
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Two two = {0, 0};
  int Two::*b = &Two::b;
  two.*b = threadIdx.x < 64 ? 0 : tiles / 2;
  for (int t = 0; t < tiles - two.b; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- part/good.cu
struct Two {
  int a, b;
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Two two = {0, 0};
  int Two::*b = &Two::b;
  two.b = blockIdx.x < 64 ? 0 : tiles / 2;
  for (int t = 0; t < tiles - two.b; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- lambda/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0;
  auto place = [&]() -> int & { return less; };
  place() = threadIdx.x < 64 ? 0 : tiles / 2;
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
//--- lambda/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int less = 0;
  auto place = [&]() -> int & { return less; };
  less = blockIdx.x < 64 ? 0 : tiles / 2;
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
