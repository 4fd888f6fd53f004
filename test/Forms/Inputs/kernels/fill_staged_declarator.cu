// The variable's declaration goes on behind its name.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int len) {
  __shared__ float s[64];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float (v) = 0.5f;
    if (t * 64 + threadIdx.x < len)
      v = in[t * 64 + threadIdx.x];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(threadIdx.x + i) % 64];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
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
