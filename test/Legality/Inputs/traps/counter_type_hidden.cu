#include <cuda_runtime.h>
typedef int idx;
__global__ void hk(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float acc = 0;
    idx t = 0;
    typedef unsigned char idx;
    for (; t < n; t += 100) {
        s[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        acc += s[63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = acc + (idx)3;
}
/* launch
kernel: hk
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "t*100+64", role: input}
  - {name: out, buffer: float, count: "64", role: output}
  - {name: n, value: "t*100"}
*/
