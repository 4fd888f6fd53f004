// The view's initialiser does not name the line: a default argument of what it calls does.
__device__ constexpr int offset(int line = __builtin_LINE()) { return line % 16; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  const int tx = threadIdx.x;
  float sum = 0.f;
  float *p = tile + offset();
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t*64+tx]; if (tx < 32) tile[64 + tx] = in[t * 64 + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + p[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
