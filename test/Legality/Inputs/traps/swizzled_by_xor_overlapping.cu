// The two copies of a thread write one element: the second one has to come last.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[16][8];
  const int w = threadIdx.x / 4, c = threadIdx.x % 4 * 2;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int r = 0; r < 2; ++r)
      tile[w][(c ^ r) & 6] = in[t * 64 + threadIdx.x + r];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc = acc * 0.5f + tile[i][c];
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
