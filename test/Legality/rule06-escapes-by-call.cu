// Rule 6: what a function, a structure, a number or a closure has made of the tile's address outlives the iteration.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/function --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/structure --refused=ldg,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/number --refused=ldg,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/lambda --refused=ldg,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/reference --refused=ldg,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/reads --refused= --legal=ldg,cp-async -- %cpr
//--- function/bad.cu
__device__ const float *row(const float *p, int i) { return p + i; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *before = x;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] + *row(part, 5);
    sum += before[1];
    before = row(part, threadIdx.x / 2); // refused: tile-escapes
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- function/good.cu
__device__ const float *row(const float *p, int i) { return p + i; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *before = x;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] + *row(part, 5);
    sum += before[1];
    before = row(x, threadIdx.x / 2);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- structure/bad.cu
struct Row {
  const float *p;
  int n;
};
__device__ Row row(const float *p, int i) { return {p + i, i}; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Row before = {x + 0, 0};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    sum += before.p[1];
    before = row(part, threadIdx.x / 2); // refused: tile-escapes
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- structure/good.cu
struct Row {
  const float *p;
  int n;
};
__device__ Row row(const float *p, int i) { return {p + i, i}; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Row before = {x + 0, 0};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    sum += before.p[1];
    before = row(x, threadIdx.x / 2);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- number/bad.cu
__device__ unsigned long long number(const float *p) { return (unsigned long long)p; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  unsigned long long before = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (t > 0)
      sum += ((const float *)before)[1];
    before = number(part + threadIdx.x / 2); // refused: tile-escapes
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- number/good.cu
__device__ unsigned long long number(const float *p) { return (unsigned long long)p; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  unsigned long long before = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (t > 0)
      sum += ((const float *)before)[1];
    before = number(x + threadIdx.x / 2);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- lambda/bad.cu
struct Row {
  const float *p;
};
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Row before = {x + 0};
  auto keep = [&](const float *p) { before = Row{p}; };
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    sum += before.p[1];
    keep(part + threadIdx.x / 2); // refused: tile-escapes
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- lambda/good.cu
struct Row {
  const float *p;
};
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Row before = {x + 0};
  auto keep = [&](const float *p) { before = Row{p}; };
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    sum += before.p[1];
    keep(x + threadIdx.x / 2);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- reference/bad.cu
struct Tile {
  float a[128];
};
__device__ const Tile &same(const Tile &t) { return t; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Tile tile;
  float sum = 0.0f;
  const Tile *last = nullptr;
  float older = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile.a[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile.a[127 - threadIdx.x];
    if (last)
      sum += last->a[5];
    last = &same(tile); // refused: tile-escapes
    __syncthreads();
  }
  y[threadIdx.x] = sum + older;
}
//--- reference/good.cu
struct Tile {
  float a[128];
};
__device__ const Tile &same(const Tile &t) { return t; }
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Tile tile;
  float sum = 0.0f;
  const Tile *last = nullptr;
  float older = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile.a[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile.a[127 - threadIdx.x];
    if (last)
      sum += last->a[5];
    older = same(tile).a[7];
    __syncthreads();
  }
  y[threadIdx.x] = sum + older;
}
//--- reads/good.cu
struct Ops {
  int step;
  __device__ float dot(const float *p, const float *q, int from) const {
    float sum = 0.0f;
    for (int i = 0; i < 8; i += step)
      sum += p[(from + i) % 128] * q[i];
    return sum;
  }
};
struct Box {
  float low, high;
};
template <typename T> __device__ T dot(const T *p, const T *q, int from, int n) {
  T sum = 0;
  const T *end = p + n;
  for (const T *at = p; at < end; ++at)
    sum += *at * q[(from + (at - p)) % 128];
  return sum;
}
template <typename T> __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
__device__ Box extent(const float (&p)[128], int i) { return {min(p[i], p[i + 1]), max(p[i], p[i + 1])}; }
__device__ void add(float &sum, const float *row, int i) { sum += row[i]; }
__global__ void read(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float As[128], Bs[128];
  float sum = 0.0f, most = 0.0f;
  Ops ops = {1};
  Box box = {0.0f, 0.0f};
  auto row = [](const float *p, int i) { return p[i]; };
  for (int t = 0; t < tiles; ++t) {
    As[threadIdx.x] = x[t * 128 + threadIdx.x];
    Bs[threadIdx.x] = x[t * 128 + 127 - threadIdx.x];
    __syncthreads();
    sum += dot(As, Bs, threadIdx.x, 16);
    sum += ops.dot(As, Bs, threadIdx.x);
    sum += row(As, 127 - threadIdx.x);
    most = larger(most, As[3]);
    box = extent(Bs, threadIdx.x / 2);
    add(sum, Bs, 9);
    __syncthreads();
  }
  y[threadIdx.x] = sum + most + box.low + box.high;
}
