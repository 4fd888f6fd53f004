// Rule 6: what the last iteration leaves in the tile is read behind the loop. It comes back from its stage, by all threads
// of the block; here some have left.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void afterwards(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  if (threadIdx.x >= 100)
    return;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[99 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + part[threadIdx.x]; // refused: tile-used-outside
}
//--- good.cu
__global__ void afterwards(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  if (threadIdx.x >= 100)
    return;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[99 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: afterwards
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 256, role: output}
  - {value: tiles}
