// The header may be rounded in two ways.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, float a, float b, float c) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int t = 0; t * a + b < c; ++t) {
    s[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 1}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: '64 * 64', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: a, scalar: float, value: 0.5}
  - {name: b, scalar: float, value: 0.25}
  - {name: c, scalar: float, value: 3.0}
*/
