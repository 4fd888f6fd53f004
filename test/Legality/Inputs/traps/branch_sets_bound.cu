__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int m) {
  __shared__ float tile[64];
  const int tx = threadIdx.x, i = blockIdx.x * 64 + tx;
  int turns = 1;
  if (tx < 32) turns = tiles;
  if (i < m) {
    float sum = 0.f;
    const int have = min(64, m - (int)blockIdx.x * 64);
    for (int t = 0; t < turns; ++t) {
      tile[tx] = in[t * 64 + tx];
      __syncthreads();
      for (int j = 0; j < have; ++j) sum = sum * 0.98f + tile[(j + tx) % have];
      __syncthreads();
    }
    __syncthreads();
    out[i] = sum;
  }
}
/* launch
kernel: k
cases: [{tiles: 0, m: 128}, {tiles: 1, m: 128}, {tiles: 2, m: 100}, {tiles: 5, m: 70}, {tiles: 3, m: 64}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: m}
*/
