// Shared memory keeps the pointer.

__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  __shared__ const float *kept[1];
  if (tx == 0)
    kept[0] = tile;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + kept[0][63 - tx];
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
