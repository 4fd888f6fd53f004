// Rule 3: in the last tile, the rest of the buffer holds what an older iteration left there.
// ldg-single keeps the one buffer.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void tail(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 128) {
    if (t + threadIdx.x < n) // refused: stale-tile
      part[threadIdx.x] = x[t + threadIdx.x];
    // says: 'part'
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void tail(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 128) {
    if (t + threadIdx.x < n)
      part[threadIdx.x] = x[t + threadIdx.x];
    else
      part[threadIdx.x] = 0.0f;
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
