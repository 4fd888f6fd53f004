// Rule 11: a counter of eight bits goes round, so that its loop takes more turns than its bound and step say.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void scattered(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[16][257], last[16];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = t * 128 + threadIdx.x;
    for (unsigned char i = 0; i < 250; i += 100) { // refused: block-size-needed
      part[threadIdx.x][i] = x[at];
      at ^= 1;
    }
    last[threadIdx.x] = x[at];
    __syncthreads();
    sum += part[15 - threadIdx.x][0] + part[threadIdx.x][100] - part[15 - threadIdx.x][200] + last[15 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void scattered(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[16][257], last[16];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = t * 128 + threadIdx.x;
    for (int i = 0; i < 250; i += 100) {
      part[threadIdx.x][i] = x[at];
      at ^= 1;
    }
    last[threadIdx.x] = x[at];
    __syncthreads();
    sum += part[15 - threadIdx.x][0] + part[threadIdx.x][100] - part[15 - threadIdx.x][200] + last[15 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: scattered
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 16
arguments:
  - {name: x, buffer: float, count: "tiles > 0 ? tiles * 128 + 88 : 0", role: input}
  - {name: y, buffer: float, count: 16, role: output}
  - {value: tiles}
