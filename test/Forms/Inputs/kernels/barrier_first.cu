// barrier first
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    // The last tile has been used.
    __syncthreads(); // all of it
    // Load.
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63];
  }
  out[blockIdx.x * 64 + tx] = sum;
}
// Nothing that comes before the loop needs its first barrier.
// LDG: fetch_tile =
// LDG-NOT: __syncthreads();
// LDG: // Prologue: the first tile.
// LDG: store_tile(0);
// LDG: for (int t = 0; t < tiles; ++t) {
// LDG-NEXT: const int t_next = t + 1;
// LDG: store_tile(stage ^ 1);
// LDG-NEXT: __syncthreads();
// LDG-NEXT: stage ^= 1;
// LDG-NEXT: }
// SINGLE: for (int t = 0; t < tiles; ++t) {
// SINGLE-NEXT: __syncthreads();
// SINGLE: tile[tx] = tile_reg;
// SINGLE-NEXT: __syncthreads();
// SINGLE: fetch_tile(t_next);
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
