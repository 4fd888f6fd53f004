// Where the copy loop ends early its tile keeps what the one before had.
__global__ void __launch_bounds__(64) k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[256];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 256; i += 64) {
      if (t * 256 + i >= 10000)
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
cases: [{n: 39}, {n: 41}, {n: 43}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 256 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
