// Rule 3: every way through nested conditions must store to the same element.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void tail(const float *__restrict__ x, float *__restrict__ y, int n, int rows) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 128) {
    if (t + threadIdx.x < n) { // refused: stale-tile
      if (threadIdx.x < rows)
        part[threadIdx.x] = x[t + threadIdx.x];
      else
        part[threadIdx.x ^ 1] = 0.0f;
    } else if (t < rows)
      part[threadIdx.x] = 0.0f;
    else
      part[threadIdx.x] = 1.0f;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void tail(const float *__restrict__ x, float *__restrict__ y, int n, int rows) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 128) {
    if (t + threadIdx.x < n) {
      if (threadIdx.x < rows)
        part[threadIdx.x] = x[t + threadIdx.x];
      else
        part[threadIdx.x] = 0.0f;
    } else if (t < rows)
      part[threadIdx.x] = 0.0f;
    else
      part[threadIdx.x] = 1.0f;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: tail
cases: [{n: 0}, {n: 128}, {n: 200}, {n: 500}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: n, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {value: n}
  - {value: 64}
