// A number that the header steps may be rounded in two ways.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, float h, float w) {
  __shared__ float s[64];
  float sum = 0.0f, z = 0.0f;
  for (int t = 0; t < n; ++t, z += h * w) {
    if (z < 3.0f)
      s[threadIdx.x] = -x[t * 64 + threadIdx.x];
    else
      s[threadIdx.x] = 0.5f;
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
  - {name: x, buffer: float, count: 'n * 64 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: h, scalar: float, value: 0.7}
  - {name: w, scalar: float, value: 0.9}
*/
