__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int *flag, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  if (threadIdx.x==0) { for (int i = 0; i < n; i++) { __threadfence(); if (!flag[i]) --i; } }
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    tile[lane + 32] = in[t * 64 + lane + 32];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[(i + lane) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + lane] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 3}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: flag, buffer: int, count: 1024, fill: uniform(1, 2)}
  - {name: n, scalar: int, value: 1}
*/
