// No tile at all: the prologue must not touch an address that comes from an empty row. A pointer that is
// bumped in the body stands behind the data in the last turn: nothing may be loaded through it.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void rows(const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                     const float *__restrict__ x, float *__restrict__ y, int length) {
  __shared__ int cs[16];
  __shared__ float vs[16];
  const int end = start[blockIdx.x + 1] * length;
  int at = start[blockIdx.x] * length;
  const int *c = column + at + threadIdx.x;
  const float *v = value + at;
  float sum = 0.0f;
  for (; at < end; at += 16) {
    cs[threadIdx.x] = *c;
    vs[threadIdx.x] = v[threadIdx.x];
    c += 16;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += vs[i] * x[cs[i]] * threadIdx.x;
    v += 16;
    __syncthreads();
  }
  y[blockIdx.x * 16 + threadIdx.x] = sum;
}
//--- launch.yaml
kernel: rows
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 16
arguments:
  - {name: start, buffer: int, count: 2, role: input, fill: "index(0)"}
  - {name: column, buffer: int, count: n * 16, role: input, fill: "uniform(0, 20)"}
  - {name: value, buffer: float, count: n * 16, role: input}
  - {name: x, buffer: float, count: 20, role: input}
  - {name: y, buffer: float, count: 16, role: output}
  - {value: n * 16}
