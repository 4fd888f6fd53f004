// What the block has stored is seen behind the first of these barriers.
__global__ void k(const float *__restrict__ x, float *g, float *__restrict__ y, int n) {
  __shared__ float s[128];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t)
    g[t * 64 + threadIdx.x] = x[t * 64 + threadIdx.x] * 2.0f;
  for (int t = 0; t < n; ++t) {
    for (int j = 0; j < 2; ++j) {
      s[threadIdx.x + 64 * j] = j == 0 ? 1.0f : g[t * 64 + 63 - threadIdx.x];
      __syncthreads();
    }
    for (int j = 0; j < 128; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 64 + 1', role: input}
  - {name: g, buffer: float, count: 'n * 64 + 1', role: inout}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
