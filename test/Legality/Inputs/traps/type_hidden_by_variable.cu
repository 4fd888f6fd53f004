#include <cuda_runtime.h>
typedef struct { float x, y; } pt;
__global__ void types(const pt *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ pt s[64]; int pt = 3;
    float acc = 0;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        acc += s[63 - threadIdx.x].x * s[threadIdx.x].y;
        __syncthreads();
    }
    out[threadIdx.x] = acc + pt;
}
/* launch
kernel: types
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "t*128", role: input}
  - {name: out, buffer: float, count: "64", role: output}
  - {name: n, value: "t"}
*/
