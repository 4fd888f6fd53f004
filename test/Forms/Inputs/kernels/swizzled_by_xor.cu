// Columns change places row by row: no two threads write one element, and all are written.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[8][8];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[r][c ^ r] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      acc = acc * 0.5f + tile[i][c ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: (tiles * 64 + 64) * 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
