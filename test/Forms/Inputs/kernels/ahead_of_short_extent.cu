// Fewer turns than are fetched ahead, and none in some threads.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int d) {
  extern __shared__ float s[];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < d; i += blockDim.x) {
      const float v = x[t * d + i];
      s[i] = v * 2.0f;
    }
    __syncthreads();
    for (int j = 0; j < d; ++j)
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
shared: 45 * 4
arguments:
  - {name: x, buffer: float, count: 'n * 45 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: d, scalar: int, value: '45'}
*/
