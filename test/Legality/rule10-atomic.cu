// Rule 10: an atomic whose result is used has its place in time. One whose result is thrown away is a store.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/load --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/source --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/unknown --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %cpr %t/good.cu --variant=cp-async --stages=3 -o %t/new.cu -q --verify=emulate --launch=%t/launch.yaml
// RUN: %cpr %t/good.cu --variant=ldg -o %t/new.cu -q --verify=emulate --launch=%t/launch.yaml
// RUN: %cpr %t/good.cu --variant=ldg-single -o %t/new.cu -q --verify=emulate --launch=%t/launch.yaml
//--- bad.cu
__global__ void effects(const float *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (sum > 0.5f)
      sum += atomicAdd(&counts[t % 4], 3); // refused: side-effect
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void effects(const float *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (sum > 0.5f)
      (void)atomicAdd(&counts[t % 4], 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- load/bad.cu
__global__ void effects(const float *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    atomicMax(&counts[t % 4], 3); // refused: side-effect
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- load/good.cu
__global__ void effects(const float *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- source/bad.cu
// The next tile is what the atomic changes.
__global__ void effects(const int *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ int part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = counts[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    atomicAdd(&counts[t], 3); // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- source/good.cu
// The next tile is what the atomic changes.
__global__ void effects(const int *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ int part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    atomicAdd(&counts[t], 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- unknown/bad.cu
// Not one of CUDA's, though it has such a name.
__device__ int atomicLog(int *to, int value);
__global__ void effects(const float *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    atomicLog(&counts[t], 3); // refused: unknown-call
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- unknown/good.cu
// Not one of CUDA's, though it has such a name.
__device__ int atomicLog(int *to, int value);
__global__ void effects(const float *__restrict__ x, int *__restrict__ counts, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    atomicAdd(&counts[t], 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: effects
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: counts, buffer: int, count: 4}
  - {name: y, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
