// The compute phase sets where the next load phase stores.
__global__ void k(const float *__restrict__ in, int *to, float *out, int n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int i = 0; i < n; ++i) {
    s[(*to + x) & 63] = in[i * 64 + x];
    __syncthreads();
    sum = sum * 0.5f + s[x];
    if (x == 0)
      *to += i + 3;
    __syncthreads();
  }
  out[x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 64, role: input}
  - {name: to, buffer: int, count: 1, role: inout}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
