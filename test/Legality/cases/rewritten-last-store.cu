// The last iteration stores no tile: what the stores change is changed once per tile, and what they read may be of no use
// any more: a pointer, a divisor.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg,ldg-single -- %cpr
//--- good.cu
__global__ void grows(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  float sum = 0.0f, s = 1.5f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 96 + threadIdx.x] * (s *= 1.25f);
    __syncthreads();
    sum += tile[95 - threadIdx.x] * s;
    __syncthreads();
  }
  out[threadIdx.x] = sum + s;
}
__global__ void pointer(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  float table[5] = {1, 2, 3, 4, 5};
  float *p = table;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 96 + threadIdx.x] * *p;
    __syncthreads();
    sum += tile[95 - threadIdx.x];
    if (t + 1 >= tiles)
      p = nullptr;
    else
      p = &table[t % 5];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void divisor(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ int tile[96];
  float sum = 0.0f;
  int v = tiles;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = ids[t * 96 + threadIdx.x] / v;
    __syncthreads();
    sum += tile[95 - threadIdx.x] * v--;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void counted(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int j = 0;
    float s = 0.0f;
    while (j < 3) {
      j++;
      s += 1.0f;
    }
    tile[threadIdx.x] = in[t * 96 + threadIdx.x] * s;
    __syncthreads();
    sum += tile[95 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: grows
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: tiles * 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
---
kernel: pointer
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: tiles * 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
---
kernel: divisor
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: tiles * 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
---
kernel: counted
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: tiles * 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
