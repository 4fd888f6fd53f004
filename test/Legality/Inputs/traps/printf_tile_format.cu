#include <stdio.h>
// The text is in the tile.
__global__ void k(const char *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ char tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    printf(tile);
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
  - {name: in, buffer: char, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
