// Two loops one behind the other, one of them backwards, and each with barriers that all threads come to as often.
template <typename F> __global__ void k(const F *__restrict__ a, const F *__restrict__ b, F *__restrict__ out, int T, int C) {
  __shared__ F v[64], g[64];
  const int i = threadIdx.x, first = blockIdx.x * T * C + i, last = first + T * C;
  F s = 0, q = 0;
  for (int t = first; t < last; t += C) {
    __syncthreads();
    v[i] = a[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * F(0.5) + v[j];
  }
  for (int t = last - C; t >= first; t -= C) {
    __syncthreads();
    g[i] = b[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      q = q * F(0.5) + g[j] * s;
  }
  out[blockIdx.x * 64 + i] = s + q;
}
void run(const float *a, const float *b, float *out, int T, int C) { k<float><<<2, 64>>>(a, b, out, T, C); }
/* launch
kernel: k<float>
cases: [{T: 0, C: 64}, {T: 1, C: 64}, {T: 2, C: 64}, {T: 3, C: 70}, {T: 4, C: 64}, {T: 7, C: 64}]
grid: 2
block: 64
arguments:
  - {name: a, buffer: float, count: 2 * T * C + 64, role: input}
  - {name: b, buffer: float, count: 2 * T * C + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: T, value: T}
  - {name: C, value: C}
*/
