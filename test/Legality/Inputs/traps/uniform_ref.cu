static __global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  int a = 0, b = 3;
  const int &r = (threadIdx.x & 1) ? a : b;
  int lim;
  lim = r;
  for (int t = 0; t < tiles; ++t) {
    bool go = ((lim + t) & 7) < 5;
    if (go) tile[tx] = in[t * 64 + tx];
    __syncthreads();
    if (go) sum = sum * 0.5f + tile[63 - tx] * t;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void launch(const float *a, float *b, int n) { k<<<2, 64>>>(a, b, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
