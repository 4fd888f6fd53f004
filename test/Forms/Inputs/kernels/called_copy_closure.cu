// The function is a closure over the tile and what it is loaded from, by reference and by copy.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  auto load = [&, in](int t) {
    const int at = t * 64;
    tile[tx] = in[at + (tx ^ 1)];
  };
  for (int t = 0; t < tiles; ++t) {
    load(t);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = sum;
}
// SINGLE: auto fetch_tile = [&](int t) {
// SINGLE-NEXT: { // load
// SINGLE-NEXT: const int at = t * 64;
// SINGLE-NEXT: tile_reg = in[at + (tx ^ 1)];
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
