__global__ void k(const float *__restrict__ x, const int *__restrict__ c, float *__restrict__ y, int n) {
  __shared__ float v[192];
  __shared__ int at[192];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 192) {
    for (int j = 0; j < 192; j += 64) {
      int i = threadIdx.x + j;
      bool in = t + i < n;
      v[i] = in ? x[t + i] : 0;
      at[i] = in ? c[t + i] : 0;
      __syncthreads();
    }
    for (int j = 0; j < 192; ++j)
      sum = sum * 0.5f + v[j] * at[191 - j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 192}, {n: 500}, {n: 1001}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n + 1', role: input}
  - {name: c, buffer: int, count: 'n + 1', role: input, fill: 'uniform(0, 9)'}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
