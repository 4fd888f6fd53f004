// Rule 3: a parameter that changes by another name is not the same in all turns of the loop around.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg --legal=ldg-single -- %cpr
//--- bad.cu
struct Box { int *p; };
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  int m = n;
  Box b = {&n};
  for (int r = 0; r < 3; ++r) {
    for (int t = 0; t < tiles; ++t) {
      if ((int)threadIdx.x < n) // refused: stale-tile
        part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
    *b.p -= 32;
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Box { int *p; };
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  int m = n;
  Box b = {&m};
  for (int r = 0; r < 3; ++r) {
    for (int t = 0; t < tiles; ++t) {
      if ((int)threadIdx.x < n)
        part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
    *b.p -= 32;
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: named
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
  - {value: 128}
