// Not the same elements in each turn.
__global__ void __launch_bounds__(64) k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[16 * 64];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 16; ++i) {
      if (i % 2 != 0 && t * 30 % 97 == 96) break;
      s[i * 64 + threadIdx.x] = x[(t * 16 + i) * 64 + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 16; j += 2)
      sum = sum * 0.5f + s[j * 64 + 63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 2}, {n: 46}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 1024 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
