// How far it was goes to the tile, too: the store would have to know what only the loads know.
__global__ void k(const int *__restrict__ next, const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    int r = t * 64 + tx, steps = 0;
    while (r > 50 && steps < 4) {
      r = next[r];
      ++steps;
    }
    tile[tx] = in[r] + steps;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: next, buffer: int, count: 320, role: input, fill: "uniform(0, 320)"}
  - {name: in, buffer: float, count: 320, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
