/* launch
kernel: twice
cases: [{T: 0, U: 3}, {T: 1, U: 0}, {T: 2, U: 1}, {T: 3, U: 2}, {T: 6, U: 5}]
grid: [2]
block: [64]
arguments:
  - {name: a, buffer: float, count: 2 * 64 * (T + 1), role: input}
  - {name: b, buffer: float, count: 2 * 64 * (U + 1), role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: T}
  - {name: others, value: U}
*/
// Two loops behind each other fill the same tile, each all of it that it ever reads.
__global__ void twice(const float *a, const float *b, float *out, int tiles, int others) {
  __shared__ float tile[64]; // of both
  const int tx = threadIdx.x;
  float sum = 0, most = -1e30f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = a[(blockIdx.x * tiles + t) * 64 + tx];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[(tx + k) % 64] * (k + 1);
    __syncthreads();
  }
  for (int t = 0; t < others; ++t) {
    const int at = (blockIdx.x * others + t) * 64;
    tile[tx] = b[at + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      most = fmaxf(most, tile[k ^ (tx & 7)] + sum);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum + most;
}

// LDG: __shared__ float tile_stages[2][64]; // of both
// LDG-NOT: auto &tile = tile_stages[0];
// LDG-NOT: tile_stages[2]
// LDG-NOT: element
// LDG: auto store_tile = [&](int stage) {
// LDG-NEXT: auto &tile = tile_stages[stage];
// LDG: auto store_tile2 = [&](int stage2) {
// LDG-NEXT: auto &tile = tile_stages[stage2];
// LDG-NOT: element
