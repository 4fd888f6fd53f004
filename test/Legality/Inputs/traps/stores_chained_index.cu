// The outer place is read from what the inner one stores to.
__global__ void k(const float *__restrict__ x, float *__restrict__ out, int n) {
  __shared__ float s[64];
  __shared__ int at[64], r[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    s[tx] = x[t * 64 + tx];
    at[tx] = int(x[t]) & 7;
    r[(at[tx] + tx) & 63] = at[tx] = 5;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j + at[tx] + r[j]) & 63];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
