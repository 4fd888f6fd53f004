// The place of the load and that of the store come of one number.
__global__ void k(const float *__restrict__ x, const float *__restrict__ at, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0.0f, a = at[0];
  s[threadIdx.x] = 0.0f;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    const float p = a * 30.0f;
    const int i = int(p + 0.7f * t) & 63;
    s[i ^ threadIdx.x] = x[t * 64 + (i + threadIdx.x) % 64];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// SINGLE: i_reg = int(p + 0.7f * t) & 63;
// SINGLE: const int i = i_reg;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: n * 64 + 1, role: input}
  - {name: at, buffer: float, count: 64, role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
