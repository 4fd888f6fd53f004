// Pointers and references to the tile that are made in front of the loop, and what they lead to is read behind it.
struct Place {
  const float *first;
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ float other[2][64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  const float *last = tile;
  const float(&row)[64] = other[1];
  Place place = {&other[0][32]};
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    other[0][tx] = in[t * 32 + tx];
    other[1][63 - tx] = in[t * 16 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) & 63] * other[i & 1][i];
    __syncthreads();
  }
  if (tiles > 0)
    sum += last[63 - tx] + row[tx] * place.first[tx / 2];
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 5 * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/

// ASYNC: const float *last = tile;
// LDG: const float *last = tile;
