// Rule 1: a return from a kernel ends the thread, and the barriers do not wait for it. A return from a function that is
// called does not, unless the call is the last thing that the kernel does.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async:2 -- %cpr
//--- bad.cu
__device__ float x[5 * 128];
__device__ void sums(float *__restrict__ y) {
  __shared__ float part[128];
  if (threadIdx.x >= 120)
    return; // refused: divergent-loop
  float sum = 0.0f;
  for (int t = 0; t < 5; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 120; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void early(float *__restrict__ y) {
  sums(y);
  __syncthreads();
}
//--- good.cu
__device__ float x[5 * 128];
__device__ void sums(float *__restrict__ y) {
  __shared__ float part[128];
  if (blockIdx.x >= 120)
    return;
  float sum = 0.0f;
  for (int t = 0; t < 5; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 120; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void early(float *__restrict__ y) {
  sums(y);
  __syncthreads();
}
//--- launch.yaml
kernel: early
grid: 1
block: 128
arguments:
  - {name: y, buffer: float, count: 128, role: output}
globals:
  - {name: x, type: float, fill: uniform(-1, 1)}
