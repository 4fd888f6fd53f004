// What is chosen is of a class, with a call for nothing.
#include <cuda_fp16.h>
__global__ void k(const __half2 *__restrict__ in, const __half2 *__restrict__ by, float *__restrict__ out, int n, int most) {
  __shared__ __half2 s[64];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    const int at = t * 64 + x;
    s[x] = at < most ? __hmul2(in[at], by[at]) : __floats2half2_rn(0.0f, 1.0f);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + __low2float(s[i]) - 0.5f * __high2float(s[(x + i) & 63]);
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: half2, count: n * 64 + 1, role: input}
  - {name: by, buffer: half2, count: n * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
  - {name: most, scalar: int, value: n * 64 - 13}
*/
