// The place of a copy that would be named for each of its pieces steps an index.
__global__ void k(const double4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ double4 tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[at++ * 64 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63].w - tile[j].x;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: double, count: tiles * 256, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
