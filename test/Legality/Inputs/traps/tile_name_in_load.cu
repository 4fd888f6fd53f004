#include <cuda_runtime.h>
struct Pos { int row, col; };
__device__ inline Pos where() { return {(int)threadIdx.x / 8, (int)threadIdx.x % 8}; }
template <int V> struct Box { int v[V]; };
__global__ void bind(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[64], d[64];
    float acc = 0;
    const int r = threadIdx.x / 8, c = threadIdx.x % 8;
    for (int t = 0; t < n; ++t) {
        d[threadIdx.x] = in[t * 64 + threadIdx.x]; float d = in[t * 64 + r * 8 + c]; s[r * 8 + c] = d;
        __syncthreads();
        float v = s[63 - threadIdx.x];
        acc += v * r;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
/* launch
kernel: bind
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "t*64", role: input}
  - {name: out, buffer: float, count: "64", role: output}
  - {name: n, value: "t"}
*/
