// The compute phase reads one element behind the tile: with more buffers that is the next one's first. The original means
// nothing, which the emulator says of it, and there is nothing to agree with. One element less, and it is rewritten.
// RUN: split-file %s %t
// RUN: %cpr %t/bad.cu --variant=cp-async -o %t/new.cu > %t/report
// RUN: %{exit} 4 %cpr verify %t/bad.cu %t/new.cu --launch=%t/launch.yaml | FileCheck %s
// CHECK: the original is itself at fault
// CHECK-NEXT: bad.cu:8:14: out-of-bounds
// RUN: mkdir -p %t/less && cp %t/good.cu %t/less
// RUN: %python %S/../Inputs/legality.py %t/less --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void window(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int e = 0; e <= 128; ++e)
      sum += tile[e];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void window(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int e = 0; e < 128; ++e)
      sum += tile[e];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: window
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: in, buffer: float, count: tiles * 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
