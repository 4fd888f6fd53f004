// The last tile is short, and as much of it is read as was loaded: the block size is not known, and need not be.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int n = tiles * 64 - 5;
  float acc = 0.f;
  for (int begin = 0; begin < n; begin += 64) {
    const int i = begin + threadIdx.x;
    if (i < n)
      tile[threadIdx.x] = in[i];
    __syncthreads();
    for (int j = 0; j < min(64, n - begin); ++j)
      acc = acc * 0.5f + tile[j];
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
