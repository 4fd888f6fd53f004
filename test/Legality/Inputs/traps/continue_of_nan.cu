// Neither a number nor less: what is not less is not what is at least as large.
__global__ void __launch_bounds__(64) k(const float *__restrict__ x, float *__restrict__ y, int n, float m) {
  __shared__ float s[256];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 256; i += 64) {
      s[i] = 0.0f;
      if (m * 10 - m * 10 < i)
        continue;
      s[i] = x[t * 256 + i];
    }
    __syncthreads();
    for (int j = 0; j < 256; ++j)
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
  - {name: x, buffer: float, count: n * 256 + 1, role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: 'n'}
  - {name: m, scalar: float, value: 3.0e38}
*/
