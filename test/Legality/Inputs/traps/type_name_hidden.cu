#include <cuda_runtime.h>
typedef double real;
__global__ void hid(const real *__restrict__ in, real *__restrict__ out, int n)
{
    __shared__ real s[64];
    real acc = 0;
    typedef float real;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        acc += s[63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
/* launch
kernel: hid
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: double, count: "t*64", role: input}
  - {name: out, buffer: double, count: "64", role: output}
  - {name: n, value: "t"}
*/
