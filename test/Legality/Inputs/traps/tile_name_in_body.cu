#include <cuda_runtime.h>
__global__ void form(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float acc = 0;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        float v = s[63 - threadIdx.x];
        acc += v;
        __syncthreads();
        float s = acc * 0.5f;
        acc = s;
    }
    out[threadIdx.x] = acc;
}
/* launch
kernel: form
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "t*64", role: input}
  - {name: out, buffer: float, count: "64", role: output}
  - {name: n, value: "t"}
*/
