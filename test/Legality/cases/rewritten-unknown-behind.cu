// Another thread's last turn may still read what a call that cannot be followed, assembly, or a destructor at the
// end of the scope writes behind the loop: the last barrier stays.
// RUN: split-file %s %t
// RUN: cp %t/launch.yaml %t/pointer/launch.yaml && %python %S/../Inputs/legality.py %t/pointer --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: cp %t/launch.yaml %t/assembly/launch.yaml && %python %S/../Inputs/legality.py %t/assembly --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: cp %t/launch.yaml %t/copied/launch.yaml && %python %S/../Inputs/legality.py %t/copied --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: cp %t/launch.yaml %t/destructor/launch.yaml && %python %S/../Inputs/legality.py %t/destructor --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: cp %t/launch.yaml %t/temporary/launch.yaml && %python %S/../Inputs/legality.py %t/temporary --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: cp %t/launch.yaml %t/constructor/launch.yaml && %python %S/../Inputs/legality.py %t/constructor --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
//--- pointer/good.cu
__device__ void fill(float *d, float v) { d[127 - threadIdx.x] = v; }
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  void (*f)(float *, float) = fill;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    sum += d[threadIdx.x];
    __syncthreads();
  }
  f(d, sum);
}
//--- assembly/good.cu
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    sum += d[threadIdx.x];
    __syncthreads();
  }
  asm volatile("st.global.f32 [%0], %1;" ::"l"(d + 127 - threadIdx.x), "f"(sum) : "memory");
}
//--- copied/good.cu
#include <string.h>
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    sum += d[threadIdx.x];
    __syncthreads();
  }
  memcpy(d + 127 - threadIdx.x, &sum, sizeof sum);
}
//--- destructor/good.cu
struct Last {
  float *p;
  const float &v;
  __device__ ~Last() { *p = v; }
};
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Last last = {d + 127 - threadIdx.x, sum};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    sum += d[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- temporary/good.cu
struct Last {
  float *p;
  const float &v;
  __device__ ~Last() { *p = v; }
};
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const Last &last = Last{d + 127 - threadIdx.x, sum};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    sum += d[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- constructor/good.cu
__device__ float total[128];
struct Last {
  float v = total[127 - threadIdx.x] = 3;
};
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    sum += total[threadIdx.x];
    __syncthreads();
  }
  Last last;
  y[threadIdx.x] = last.v + sum;
}
//--- launch.yaml
kernel: behind
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {name: d, buffer: float, count: 128, role: inout}
  - {value: tiles}
