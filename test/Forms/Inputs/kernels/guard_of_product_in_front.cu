// The product stands in front of the loop.
__global__ void k(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, float a, float b) {
  __shared__ float s[64];
  float sum = 0.0f;
  const float p = w[threadIdx.x] * a;
  for (int t = 0; t < n; ++t) {
    if (p + b > float(t))
      s[threadIdx.x] = -x[t * 64 + threadIdx.x];
    else
      s[threadIdx.x] = 0.25f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// SINGLE: guard_reg = p + b > float(t);
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 64 + 1', role: input}
  - {name: w, buffer: float, count: 64, role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: a, scalar: float, value: 2.5}
  - {name: b, scalar: float, value: 0.5}
*/
