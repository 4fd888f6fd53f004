// 'm' in the condition is the body's, made of the parameter of that name.
__global__ void __launch_bounds__(64) k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float s[256];
  float sum = 0.0f;
  s[threadIdx.x] = s[threadIdx.x + 64] = s[threadIdx.x + 128] = s[threadIdx.x + 192] = -1.0f;
  __syncthreads();
  const int e = m;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 256; i += 64) {
      const int m = e / 2 + t;
      if (i >= m)
        break;
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
  - {name: m, scalar: int, value: '200'}
*/
