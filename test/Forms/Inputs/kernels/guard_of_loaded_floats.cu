// What is loaded is scaled, and decides.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int m, float a, float b) {
  __shared__ float s[256];
  float sum = 0.0f;
  const int tx = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    const float w = x[t] * a + b;
    if (w > 0.f) s[tx] = -x[t * 64 + tx]; else s[tx] = 1.f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// SINGLE: w_reg = x[t] * a + b;
// SINGLE: const float w = w_reg;
// SINGLE-NEXT: if (w > 0.f)
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 256 + 64', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: 1}
  - {name: a, scalar: float, value: 0.7}
  - {name: b, scalar: float, value: 0.1}
*/
