// The same from an array of pointers.
#include <string.h>
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  const float *rows[2] = {tile, tile + 32};
  size_t bits[2];
  memcpy(bits, rows, sizeof rows);
  const float *p = (const float *)bits[1];
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + p[31 - tx % 32];
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
