#include <string.h>
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64][4];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x < 63)
      memcpy(&t[threadIdx.x][2], &in[((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 4], 16);
    if (threadIdx.x == 63)
      memcpy(&t[63][2], &in[((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 4], 8);
    if (threadIdx.x == 0)
      memcpy(&t[0][0], &in[0], 8);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j][3] + t[j][0] * t[j][1] - t[j][2];
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
