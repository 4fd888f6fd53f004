// A persistent kernel sends its output through the same dynamic shared memory as its tiles, in front of the loop and
// behind it: the prologue must not move over the barrier between them.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg-single -- %cpr
// RUN: %cpr %t/good.cu --variant=cp-async --exit-zero -o %t/same.cu > %t/report
// RUN: cmp %t/good.cu %t/same.cu
// RUN: FileCheck %s < %t/report
// CHECK: [dynamic-shared-memory]
//--- good.cu
__global__ void persistent(const float *__restrict__ a, float *__restrict__ c, int jobs, int depth) {
  extern __shared__ float space[];
  for (int job = 0; job < jobs; ++job) {
    space[threadIdx.x] = c[job * 64 + threadIdx.x];
    __syncthreads();
    float acc = space[63 - threadIdx.x];
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      space[threadIdx.x] = a[(job + k) * 64 + threadIdx.x];
      __syncthreads();
      acc += space[63 - threadIdx.x] * space[k % 64];
      __syncthreads();
    }
    space[threadIdx.x] = acc;
    __syncthreads();
    c[job * 64 + threadIdx.x] = space[(threadIdx.x + 1) % 64];
    __syncthreads();
  }
}
//--- launch.yaml
kernel: persistent
cases: [{jobs: 2, depth: 0}, {jobs: 3, depth: 1}, {jobs: 2, depth: 2}, {jobs: 3, depth: 5}]
grid: 1
block: 64
shared: 256
arguments:
  - {name: a, buffer: float, count: (jobs + depth) * 64, role: input}
  - {name: c, buffer: float, count: jobs * 64, role: inout}
  - {value: jobs}
  - {value: depth}
