#include <string.h>
__device__ void copy4(float *to, const float *from) { memcpy(to, from, 4 * sizeof(float)); }
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[256];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    copy4(&t[4 * threadIdx.x], &in[((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 4]);
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      s = s * 1.25f + t[j];
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
  - {name: in, buffer: float, count: 3840, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
