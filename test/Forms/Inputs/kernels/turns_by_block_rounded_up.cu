__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[48][9];
  float sum = 0.0f;
  const int m = (48 + blockDim.y - 1) / blockDim.y;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < m; ++i) {
      const int row = i * blockDim.y + threadIdx.y;
      if (row < 48)
        s[row][threadIdx.x] = x[(t * 48 + row) * 8 + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 48; ++j)
      sum = sum * 0.5f + s[j][threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.y * 8 + threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: [8, 7]
arguments:
  - {name: x, buffer: float, count: 'n * 48 * 8 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
