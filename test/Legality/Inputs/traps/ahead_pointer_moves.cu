// The rest is loaded behind what moves the pointer on for the next tile.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int d) {
  extern __shared__ float s[];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 4 * d; i += blockDim.x)
      s[i] = x[i];
    x += 4 * d;
    __syncthreads();
    for (int j = 0; j < 4 * d; ++j)
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
shared: 4 * 301 * 4
arguments:
  - {name: x, buffer: float, count: 'n * 4 * 301 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: d, scalar: int, value: '301'}
*/
