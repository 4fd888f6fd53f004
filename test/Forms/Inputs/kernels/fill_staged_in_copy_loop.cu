// A variable of each turn of a copy loop.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int len) {
  __shared__ float s[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int j = tx; j < 100; j += 64) {
      float v = -1.f;
      if (t * 64 + j < len)
        v = in[t * 64 + j];
      s[j] = v;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 100];
    __syncthreads();
  }
  out[tx] = sum;
}
// LDG: float v = v_reg[turn];
// ASYNC: if (t * 64 + j < len)
// ASYNC-NEXT: __pipeline_memcpy_async(&s[j], &in[t * 64 + j], sizeof(float));
// ASYNC-NEXT: else
// ASYNC-NEXT: s[j] = -1.f;
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
