/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 6}]
grid: [2]
block: [32]
arguments:
  - {name: in, buffer: float, count: 64 * (T + 2), role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: tiles, value: T}
*/
// A union, cleared as something else.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ union {
    float f[4][9];
    unsigned u[36];
  } tile;
  const int tx = threadIdx.x;
  for (int i = tx; i < 36; i += 32)
    tile.u[i] = 0x3f800000u + i;
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile.f[tx / 8][tx % 8] = in[t * 32 + tx];
    __syncthreads();
    for (int j = 0; j < 36; ++j)
      sum = sum * 0.5f + tile.f[j % 4][(j + tx) % 9];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 32 + tx] = sum + tile.u[(tx * 7) % 36];
}
