// A copy in a function of its own is written out in the loop, if the function's text can stand there.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__device__ void put(float *to, float value) {
  while (!to)
    return;
  *to = value;
}
__global__ void called(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    put(&part[threadIdx.x], x[t * 128 + threadIdx.x]); // refused: copy-in-callee
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__device__ void put(float *to, float value) {
  *to = value;
}
__global__ void called(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    put(&part[threadIdx.x], x[t * 128 + threadIdx.x]);
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: called
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 256, role: output}
  - {value: tiles}
