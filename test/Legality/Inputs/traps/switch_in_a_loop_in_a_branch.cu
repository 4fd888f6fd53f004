// The same through a loop without braces.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int m, bool f, bool g) {
  __shared__ float s[256];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    if (f)
      for (int i = threadIdx.x; i < 256; i += 64)
        switch (i % 3) {
        case 0: s[i] = x[t * 256 + i]; break;
        case 1: s[i] = 4.f; break;
        }
    else if (g)
      for (int i = threadIdx.x; i < 256; i += 64) s[i] = x[t * 256 + 255 - i];
    else
      s[threadIdx.x] = 5.f;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 3, f: 0}, {n: 3, f: 1}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 256 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: 1}
  - {name: f, scalar: bool, value: f}
  - {name: g, scalar: bool, value: 1}
*/
