// Rule 3: the threads that do not call the function do not fill their part of the tile.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg --legal=ldg-single --options="--block-size=128 --assume=block-size" -- %cpr
//--- bad.cu
__device__ float src[5 * 128];
__device__ float tiled() {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 5; ++t) {
    part[(threadIdx.x + t * 64) & 127] = src[t * 128 + threadIdx.x]; // refused: stale-tile
    // note: every thread
    __syncthreads();
    if (t > 0)
    for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
    __syncthreads();
  }
  return sum;
}
__global__ void k(float *__restrict__ y, int tiles) {
  if (threadIdx.x >= 64)
    return;
  y[threadIdx.x] = tiled();
}
//--- good.cu
__device__ float src[5 * 128];
__device__ float tiled() {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 5; ++t) {
    part[(threadIdx.x + t * 64) & 127] = src[t * 128 + threadIdx.x];
    __syncthreads();
    if (t > 0)
    for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
    __syncthreads();
  }
  return sum;
}
__global__ void k(float *__restrict__ y, int tiles) {
  y[threadIdx.x] = tiled();
}
//--- launch.yaml
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
globals:
  - {name: src, type: float, fill: uniform(-1, 1)}
