// What is loaded for the tile is of use to the compute phase, too: in a variable in front of the loop, which the compute
// phase may also fill anew; for the compute phase alone; changed on its way by what the compute phase found out.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg,ldg-single -- %cpr
//--- good.cu
__global__ void temporary(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out,
                          int tiles) {
  __shared__ float tile[96];
  float reg = 0.25f, sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    reg = in[t * 96 + threadIdx.x];
    tile[threadIdx.x] = reg;
    __syncthreads();
    reg = tile[95 - threadIdx.x];
    sum = sum * 0.5f + reg;
    __syncthreads();
  }
  out[blockIdx.x * 96 + threadIdx.x] = sum + reg;
}
__global__ void both(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  float reg = 0.25f, sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    reg = in[t * 96 + threadIdx.x];
    tile[threadIdx.x] = reg;
    __syncthreads();
    for (int k = 0; k < 96; k += 5)
      sum = sum * 0.5f + reg * tile[k];
    __syncthreads();
  }
  out[blockIdx.x * 96 + threadIdx.x] = sum + reg;
}
__global__ void alone(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  float sum = 0.0f, weight = 7.0f, before = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t % 3 != 1)
      weight = weights[t * 96 + threadIdx.x];
    tile[threadIdx.x] = in[t * 96 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + weight * tile[95 - threadIdx.x] + before;
    before = weight;
    __syncthreads();
  }
  out[blockIdx.x * 96 + threadIdx.x] = sum + weight;
}
__global__ void scaled(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  float sum = 0.0f, factor = 1.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 96 + threadIdx.x] * factor;
    __syncthreads();
    sum += tile[95 - threadIdx.x];
    factor = sum > 1.0f ? 0.5f : 1.25f;
    __syncthreads();
  }
  out[blockIdx.x * 96 + threadIdx.x] = sum + factor;
}
//--- launch.yaml
kernel: temporary
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}, {tiles: 33}]
grid: 2
block: 96
arguments:
  - {name: in, buffer: float, count: "tiles * 96", role: input}
  - {name: weights, buffer: float, count: "tiles * 96", role: input}
  - {name: out, buffer: float, count: 192, role: inout}
  - {value: tiles}
---
kernel: both
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}, {tiles: 33}]
grid: 2
block: 96
arguments:
  - {name: in, buffer: float, count: "tiles * 96", role: input}
  - {name: weights, buffer: float, count: "tiles * 96", role: input}
  - {name: out, buffer: float, count: 192, role: inout}
  - {value: tiles}
---
kernel: alone
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}, {tiles: 33}]
grid: 2
block: 96
arguments:
  - {name: in, buffer: float, count: "tiles * 96", role: input}
  - {name: weights, buffer: float, count: "tiles * 96", role: input}
  - {name: out, buffer: float, count: 192, role: inout}
  - {value: tiles}
---
kernel: scaled
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}, {tiles: 33}]
grid: 2
block: 96
arguments:
  - {name: in, buffer: float, count: "tiles * 96", role: input}
  - {name: weights, buffer: float, count: "tiles * 96", role: input}
  - {name: out, buffer: float, count: 192, role: inout}
  - {value: tiles}
