// printf and assert in the load phase: where the tile is stored, once a turn.
#include <assert.h>
#include <stdio.h>
__global__ void __launch_bounds__(64) printf_in_load(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    const int at = k + threadIdx.x;
    assert(at < 512);
    if (threadIdx.x == 3)
      printf("tile at %d\n", at);
    tile[threadIdx.x] = in[at];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: printf_in_load
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 63}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
