__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int len) {
  __shared__ float s[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int r = 0; r < 2; ++r) {
      float v = 0.f;
      const int at = t * 64 + r * 64 + tx;
      if (at < len)
        v = in[at];
      s[r * 64 + tx] = v;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 128];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, len: 9}, {tiles: 1, len: 3}, {tiles: 2, len: 100}, {tiles: 5, len: 300}, {tiles: 5, len: 130}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
  - {value: len}
*/
