// At most eight are left.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float s[8][64];
  for (int r = 0; r < m; r += 8) {
    const int end = min(r + 8, m);
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
      for (int i = 0; r + i < end; i++)
        s[i][threadIdx.x] = x[((r + i) * n + t) * 64 + threadIdx.x];
      __syncthreads();
      for (int i = 0; r + i < end; i++)
        for (int j = 0; j < 64; ++j)
          sum = sum * 0.5f + s[i][j];
      __syncthreads();
    }
    y[r / 8 * 64 + threadIdx.x] = sum;
  }
}
// LDG: float s_reg[8];
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 21 * 64 + 1', role: input}
  - {name: y, buffer: float, count: 192, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: '21'}
*/
