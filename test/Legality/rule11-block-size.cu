// Rule 11: where what the copy loop moves on is needed behind it, how many registers it takes depends on the block size, and launch bounds are an upper bound.
// It is asked for no small block only where a thread then has few elements. cp-async has no register count.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single --legal=cp-async -- %cpr
//--- bad.cu
__global__ void __launch_bounds__(256) strided(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[512][8], last[256];
  const int rows = blockDim.y;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = (t * 512 + threadIdx.y) * 8 + threadIdx.x;
    for (int i = threadIdx.y; i < 512; i += rows) { // refused: block-size-needed
      part[i][threadIdx.x] = x[at];
      at += rows * 8;
    }
    last[threadIdx.y * 8 + threadIdx.x] = x[at - rows * 8];
    // says: rows
    __syncthreads();
    for (int k = 0; k < 512; ++k)
      sum += part[k][k % 8] + last[k % 256];
    __syncthreads();
  }
  y[threadIdx.y * 8 + threadIdx.x] = sum;
}
//--- good.cu
__global__ void __launch_bounds__(256) strided(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[512][8], last[256];
  const int rows = 32;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = (t * 512 + threadIdx.y) * 8 + threadIdx.x;
    for (int i = threadIdx.y; i < 512; i += rows) {
      part[i][threadIdx.x] = x[at];
      at += rows * 8;
    }
    last[threadIdx.y * 8 + threadIdx.x] = x[at - rows * 8];
    __syncthreads();
    for (int k = 0; k < 512; ++k)
      sum += part[k][k % 8] + last[k % 256];
    __syncthreads();
  }
  y[threadIdx.y * 8 + threadIdx.x] = sum;
}
//--- launch.yaml
kernel: strided
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: [8, 32]
arguments:
  - {name: x, buffer: float, count: tiles * 4096, role: input}
  - {name: y, buffer: float, count: 256, role: output}
  - {value: tiles}
