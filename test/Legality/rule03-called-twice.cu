// Rule 3: the second call, by fewer threads, finds in the tile what the first one left.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg --legal=ldg-single -- %cpr
//--- bad.cu
__device__ float src[5 * 128];
__device__ float tiled() {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 5; ++t) { // refused: stale-tile
    // says: another call
    // note: every thread
    part[threadIdx.x] = src[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  return sum;
}
__global__ void k(float *__restrict__ y, int tiles) {
  float sum = tiled();
  if (threadIdx.x >= 64)
    return;
  sum += tiled();
  y[threadIdx.x] = sum;
}
//--- good.cu
__device__ float src[5 * 128];
__device__ float tiled() {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 5; ++t) {
    part[threadIdx.x] = src[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  return sum;
}
__global__ void k(float *__restrict__ y, int tiles) {
  float sum = tiled();
  if (threadIdx.x >= 64)
    return;
  y[threadIdx.x] = sum;
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
