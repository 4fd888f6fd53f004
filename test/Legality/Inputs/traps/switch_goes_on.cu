// A group goes on into the next.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    switch (m) {
    case 0:
      s[threadIdx.x] = x[t * 64 + threadIdx.x];
    case 1:
      s[63 - threadIdx.x] = 2.0f;
      break;
    default:
      s[threadIdx.x] = 1.5f;
    }
    __syncthreads();
    for (int j = 0; j < 64; ++j)
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
  - {name: m, scalar: int, value: 'n % 3'}
*/
