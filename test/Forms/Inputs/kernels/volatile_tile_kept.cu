// The tile is declared volatile, for no reason that anybody remembers.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ volatile float tile[64];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    const int at = t * 64 + i;
    if (at < tiles * 64 - 16)
      tile[i] = in[at];
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      const float v = tile[(j + i) & 63];
      if (t * 64 + (j + i) % 64 < tiles * 64 - 16)
        sum = sum * 0.98f + v;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
