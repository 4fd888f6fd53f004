// An array of pointers is copied, element by element.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ __align__(16) float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  const float *both[2] = {tile, in};
  auto [p, q] = both;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + p[63 - tx];
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
  - {name: in, buffer: float, count: 64 * tiles + 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
