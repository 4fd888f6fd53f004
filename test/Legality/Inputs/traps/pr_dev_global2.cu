// Printed values that a device function makes.
#include <cstdio>
#include <cassert>
__device__ int g[64];
__global__ void __launch_bounds__(64) pr_dev_global2(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    printf("%d\n", g[threadIdx.x]);
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    g[threadIdx.x] = t + 3;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: pr_dev_global2
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
