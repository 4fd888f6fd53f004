template <typename T, int N> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T s[2 * N];
  T *a = s, *b = s + N;
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    a[tx] = in[t * N + tx]; b[tx] = in[t * N + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + a[(tx + i) % N] * b[i];
    __syncthreads();
  }
  out[tx] = sum;
}
template __global__ void k<float, 64>(const float *__restrict__, float *__restrict__, int);
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
