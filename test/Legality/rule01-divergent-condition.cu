// Rule 1: a part of the block goes around the loop, and waits behind it.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles, int active) {
  __shared__ float part[128];
  float sum = 0.0f;
  if (threadIdx.x < active) { // refused: divergent-loop
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      sum += part[active - 1 - threadIdx.x];
      __syncthreads();
    }
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles, int active) {
  __shared__ float part[128];
  float sum = 0.0f;
  if (blockIdx.x < active) {
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      sum += part[active - 1 - threadIdx.x];
      __syncthreads();
    }
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: some
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: 128}
