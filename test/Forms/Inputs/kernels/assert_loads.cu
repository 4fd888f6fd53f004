// What is asserted is loaded, and stays where the tile is stored.
#include <assert.h>
__global__ void __launch_bounds__(64) assert_loads(const int *__restrict__ at, const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    if (k + threadIdx.x < n) {
      assert(at[k + threadIdx.x] < 512);
      tile[threadIdx.x] = in[k + threadIdx.x];
    } else
      tile[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: assert_loads
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: at, buffer: int, count: 512, role: input, fill: value(3)}
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
