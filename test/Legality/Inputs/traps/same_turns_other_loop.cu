// The second loop has the same turns, and the one in front of it has not: some threads wait for the rest at its barriers.
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int T, int C) {
  __shared__ float v[64], g[64];
  const int i = threadIdx.x, first = i, last = first + T * C;
  float s = 0, q = 0;
  for (int t = first; t < T * C + 32; t += C) {
    __syncthreads();
    v[i] = a[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 0.5f + v[j];
  }
  for (int t = last - C; t >= first; t -= C) {
    __syncthreads();
    g[i] = b[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      q = q * 0.5f + g[j] * s;
  }
  out[blockIdx.x * 64 + i] = s + q;
}
void run(const float *a, const float *b, float *out, int T, int C) { k<<<1, 64>>>(a, b, out, T, C); }
/* launch
kernel: k
cases: [{T: 0, C: 64}, {T: 1, C: 64}, {T: 2, C: 64}, {T: 3, C: 64}, {T: 7, C: 64}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: (T + 2) * C + 64, role: input}
  - {name: b, buffer: float, count: (T + 2) * C + 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: T, value: T}
  - {name: C, value: C}
*/
