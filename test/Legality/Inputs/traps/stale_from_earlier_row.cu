// What the short last tile of a row leaves alone, the row before has written; or this row, a turn ago.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float acc = 0.f;
  for (int row = 0; row < 2; ++row) {
    const int n = tiles * 64 - row * 5;
    for (int begin = 0; begin < n; begin += 64) {
      if (begin + threadIdx.x < n)
        tile[threadIdx.x] = in[row + begin + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        acc = acc * 0.5f + tile[j];
      __syncthreads();
    }
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
