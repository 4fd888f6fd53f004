#include <string.h>
extern "C" __global__ void __launch_bounds__(64)
k(const char *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    const float *from = reinterpret_cast<const float *>(in + 1);
    memcpy(&t[threadIdx.x], from + (k * gridDim.x + blockIdx.x) * 64 + threadIdx.x, sizeof(float));
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + (t[j] > 0.0f ? 1.0f : 0.5f);
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
  - {name: in, buffer: char, count: 3900, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
