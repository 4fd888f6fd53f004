// LDG: T s_reg[((sizeof(s_stages[0]) / sizeof(s_stages[0][0])) + 64 - 1) / 64];
template <typename T, int N> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T s[N];
  const int tx = threadIdx.x;
  T sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < sizeof(s) / sizeof(s[0]); i += 64)
    s[tx + i] = in[t * N + tx + i];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
template __global__ void k<float, 64>(const float *__restrict__ in, float *__restrict__ out, int tiles);
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
