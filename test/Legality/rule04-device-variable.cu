// Rule 4: each iteration loads what the one before has stored.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__device__ float history[4096];
__global__ void device(const float *x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = history[t * 128 + threadIdx.x];
    __syncthreads();
    history[(t + 1) * 128 + threadIdx.x] = part[127 - threadIdx.x]; // refused: may-alias
    __syncthreads();
  }
}
//--- good.cu
__device__ float history[4096];
__global__ void device(const float *x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = history[t * 128 + threadIdx.x];
    __syncthreads();
    y[(t + 1) * 128 + threadIdx.x] = part[127 - threadIdx.x];
    __syncthreads();
  }
}
//--- launch.yaml
kernel: device
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 7}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: 128, role: input}
  - {name: y, buffer: float, count: 128 + tiles * 128, role: output}
  - {value: tiles}
globals:
  - {name: history, type: float, fill: random}
