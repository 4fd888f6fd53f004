__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    const int from = [](int turn) { return turn * 64; }(t);
    tile[tx] = in[from + tx];
    __syncthreads();
    sum = sum * 0.5f + [](float v) { return v * v; }(tile[63 - tx]);
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
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
