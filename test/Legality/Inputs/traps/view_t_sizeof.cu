template <int N> __global__ void kk(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[N];
  const int tx = threadIdx.x;
  float sum = 0.f;
  float (&p)[N] = tile;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < sizeof(p) / sizeof(p[0]); i += 64) p[i + tx] = in[t * N + i + tx];
    __syncthreads();
    for (int i = 0; i < N; ++i) sum = sum * 0.5f + p[(tx + i) % N];
    __syncthreads();
  }
  out[tx] = sum;
}
template __global__ void kk<256>(const float *__restrict__, float *__restrict__, int);
/* launch
kernel: kk
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
