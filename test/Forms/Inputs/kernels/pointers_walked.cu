// Both pointers walk in the copy loop, one of them through the whole loop.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[256];
  const int tx = threadIdx.x;
  float sum = 0.f;
  in += tx * 4;
  for (int t = 0; t < tiles; ++t) {
    float *to = &tile[tx * 4];
    for (int j = 0; j < 4; j++)
      *to++ = *in++;
    in += 63 * 4;
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum = sum * 0.98f + tile[(i + tx) % 256];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
// SINGLE: tile_reg[j] = *in++;
// SINGLE: *to++ = tile_reg[j];
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 256 + 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
