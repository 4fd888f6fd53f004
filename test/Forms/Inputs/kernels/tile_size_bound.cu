// The copy loop asks for the tile's size, and so does the fetch, which has no tile.
// LDG: auto fetch_tile = [&](int t) {
// LDG-NEXT: auto &s = s_stages[0];
// LDG: s_reg[i / 64] = in[t * 64 + tx + i];
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < sizeof(s) / sizeof(s[0]); i += 64)
    s[tx + i] = in[t * 64 + tx + i];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 64];
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
