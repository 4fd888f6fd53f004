#include <cuda_runtime.h>
#include <vector>
// covered with 64 threads; a sliding window with 32
static __global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float acc = 0.f;
    for (int b = 0; b < n; b += 32) {
        s[(threadIdx.x + b) & 63] = in[b + threadIdx.x];
        __syncthreads();
        const int lim = b == 0 ? 32 : 64;
        for (int j = 0; j < lim; ++j) acc += s[j] * (j + 1 + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
#ifdef SMALL
void tiny(const float *in, float *out, int n) { smooth<<<1, 32>>>(in, out, n); }
#endif
void run(const float *in, float *out, int n)
{
    smooth<<<1, 64>>>(in, out, n);
}
/* launch
kernel: smooth
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 3}, {t: 6}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: "t*32+64", role: input}
  - {name: out, buffer: float, count: "64", role: output}
  - {name: n, value: "t*32"}
*/
