// Whether a tile is loaded is in shared memory, where another thread has put it.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ int keep[64];
  const int tx = threadIdx.x;
  keep[63 - tx] = tx * 5 % 3;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = t == 0 || keep[tx] != 0 ? in[t * 64 + tx] : 0.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
