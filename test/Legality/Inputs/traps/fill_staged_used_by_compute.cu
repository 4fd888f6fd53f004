// The compute phase has the value, too.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int len) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float v = 0.f;
    if (t * 64 + tx < len)
      v = in[t * 64 + tx];
    s[tx] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 64] * v;
    __syncthreads();
  }
  out[tx] = sum;
}

/* launch
kernel: k
cases: [{tiles: 0, len: 9}, {tiles: 1, len: 3}, {tiles: 2, len: 100}, {tiles: 5, len: 300}, {tiles: 6, len: 131}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: len, scalar: int, value: len}
*/
