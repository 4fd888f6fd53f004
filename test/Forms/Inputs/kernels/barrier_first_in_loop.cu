// barrier first, in a loop around, tile index before
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ float table[64];
  const int tx = threadIdx.x;
  table[tx] = tx * 0.25f;
  for (int r = 0; r < 3; ++r) {
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
      int at = t * 64 + (tx + r) % 64;
      __syncthreads();
      tile[tx] = in[at];
      __syncthreads();
      for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63] * table[63 - i]; }
    if (blockIdx.x * 64 + tx < 128 && r == 2) out[blockIdx.x * 64 + tx] = sum;
  }
}
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
