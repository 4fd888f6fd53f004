#include <string.h>
#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(64)
k(const half *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ half t[512];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    memcpy(&t[8 * threadIdx.x], &in[((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 8], 8 * sizeof(half));
    __syncthreads();
    for (int j = 0; j < 512; ++j)
      s = s * 1.25f + __half2float(t[j]);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 3
block: 64
arguments:
  - {name: in, buffer: half, count: 7680, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
