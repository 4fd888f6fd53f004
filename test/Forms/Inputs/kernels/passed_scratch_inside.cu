// A tile of the outer loop; the inner loop writes to an array of the caller's, and is no tile loop of its own.
// options: --assume=no-alias
__device__ float turns(const float *__restrict__ in, float *scratch, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int r = 0; r < 3; ++r) {
      scratch[tx] = tile[(tx + r) & 63] + acc + in[r];
      __syncthreads();
      acc += scratch[63 - tx];
      __syncthreads();
    }
    __syncthreads();
  }
  return acc;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float scratch[64];
  out[threadIdx.x] = turns(in, scratch, tiles);
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 3, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
