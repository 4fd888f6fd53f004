#include <cuda_fp16.h>
__global__ void k(const half *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    s[tx] = in[(blockIdx.x * n + t) * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[j] * j;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
// LDG: half s_reg;
// LDG: s_reg = in[(blockIdx.x * n + t) * 64 + tx];
// LDG: s[tx] = s_reg;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: half, count: "n*128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
