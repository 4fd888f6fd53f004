// Tiles that are members of a struct: the struct gets stages as a whole. What the compute phase writes may be
// in a struct of its own, not in that of the tiles.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %cpr %t/good.cu --variant=cp-async --stages=3 -o - -q | FileCheck %s
// CHECK: constexpr int STAGES = 3;
// CHECK-NEXT: __shared__ Storage s_stages[STAGES];
// CHECK: auto &s = s_stages[stage];
// CHECK: __pipeline_memcpy_async(&s.part[threadIdx.x],
// CHECK: auto &s = s_stages[stage];
// CHECK-NEXT: sum += s.part[127 - threadIdx.x] * s.scale;
// RUN: %cpr %t/good.cu --variant=cp-async --stages=3 -o - -q --verify=emulate --launch=%t/launch.yaml
// RUN: %cpr %t/good.cu --variant=ldg -o - -q --verify=emulate --launch=%t/launch.yaml
//--- bad.cu
struct Storage { float part[128]; float scale; float partial[128]; };
struct Other { float partial[128]; };
__global__ void __launch_bounds__(128) member(const float *__restrict__ x, const float *__restrict__ a, float *__restrict__ y, int tiles) {
  __shared__ Storage s;
  __shared__ Other o;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    s.part[threadIdx.x] = x[t * 128 + threadIdx.x];
    if (threadIdx.x == 0)
      s.scale = a[t];
    __syncthreads();
    sum += s.part[127 - threadIdx.x] * s.scale;
    s.partial[threadIdx.x] = sum; // refused: tile-written
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Storage { float part[128]; float scale; float partial[128]; };
struct Other { float partial[128]; };
__global__ void __launch_bounds__(128) member(const float *__restrict__ x, const float *__restrict__ a, float *__restrict__ y, int tiles) {
  __shared__ Storage s;
  __shared__ Other o;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    s.part[threadIdx.x] = x[t * 128 + threadIdx.x];
    if (threadIdx.x == 0)
      s.scale = a[t];
    __syncthreads();
    sum += s.part[127 - threadIdx.x] * s.scale;
    o.partial[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: member
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: a, buffer: float, count: tiles, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
