// Rule 11: how many registers it takes depends on the block size, and launch bounds are an upper bound.
// cp-async has no register count.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single --legal=cp-async -- %cpr
//--- bad.cu
__global__ void __launch_bounds__(256) strided(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[1024];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) // refused: block-size-needed
      part[i] = x[t * 1024 + i];
    // says: blockDim.x
    __syncthreads();
    for (int k = 0; k < 1024; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void __launch_bounds__(256) strided(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[1024];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 1024; i += 256)
      part[i] = x[t * 1024 + i];
    __syncthreads();
    for (int k = 0; k < 1024; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: strided
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 256
arguments:
  - {name: x, buffer: float, count: tiles * 1024, role: input}
  - {name: y, buffer: float, count: 256, role: output}
  - {value: tiles}
