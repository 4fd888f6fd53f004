__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    using T = float; T v = in[t * 128 + blockIdx.x * 64 + tx]; tile[tx] = v * T(2);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      { T q = tile[(tx + i) % 64]; sum = sum * 0.5f + q; }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
// LDG: using T = float; v_reg = in[t * 128 + blockIdx.x * 64 + tx];
// LDG: using T = float; T v = v_reg; tile[tx] = v * T(2);
// LDG: auto &tile = tile_stages[stage];
// LDG: using T = float;
// LDG: T q = tile[(tx + i) % 64];
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
