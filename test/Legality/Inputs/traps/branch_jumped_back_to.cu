__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int r = 0;
again:
  if (tx < 32 || r == 1) {
    for (int t = 0; t < tiles; ++t) {
      tile[tx] = in[t * 64 + tx];
      __syncthreads();
      for (int j = 0; j < 32; ++j) sum = sum * 0.5f + tile[(tx + j) & 31];
      __syncthreads();
    }
  }
  if (r++ == 0) goto again;
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
