// Two tiles get one element that is loaded once.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64], r[65];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    r[63 - x] = s[x] = in[t * 64 + x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + s[i] - 0.5f * r[(i + x) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
