/* launch
kernel: pairs
cases: [{T: 0, U: 3}, {T: 1, U: 0}, {T: 2, U: 1}, {T: 5, U: 4}]
grid: [2]
block: [64]
arguments:
  - {name: a, buffer: float, count: 2 * 128 * (T + 1), role: input}
  - {name: b, buffer: float, count: 2 * 128 * (U + 1), role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: T}
  - {name: others, value: U}
*/
// options: --assume=block-size --block-size=64
// The second loop fills less of the tile than the first one, by other statements, and reads that alone.
__global__ void __launch_bounds__(64) pairs(const float *a, const float *b, float *out, int tiles, int others) {
  __shared__ float tile[2][64], scale[64];
  const int tx = threadIdx.x;
  float sum = 0, most = -1e30f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tx; i < 128; i += 64)
      tile[i / 64][i % 64] = a[(blockIdx.x * tiles + t) * 128 + i];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k & 1][(tx + k) % 64] * (k + 1);
    __syncthreads();
  }
  for (int t = 0; t < others; ++t) {
    tile[0][tx] = b[(blockIdx.x * others + t) * 64 + tx];
    scale[tx] = b[(blockIdx.x * others + t) * 64 + 63 - tx];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      most = fmaxf(most, tile[0][k ^ (tx & 7)] * scale[k]);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum + most;
}

// ASYNC: __shared__ float tile_stages[2][2][64], scale_stages[2][64];
// ASYNC-NOT: auto &tile = tile_stages[0];
// ASYNC-NOT: auto &scale = scale_stages[0];
// ASYNC-NOT: element
// ASYNC: auto load_tile2 = [&](int stage2, int t) {
