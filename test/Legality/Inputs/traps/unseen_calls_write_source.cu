// The compute phase writes what may be the next tile.
static __device__ float weigh(const float *in, int tiles, float *out) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    out[t * 64 + 64 + i] = sum;
    __syncthreads();
  }
  return sum;
}
/* elsewhere
__global__ void k(const float *in, float *out, int tiles) { out[blockIdx.x * 64 + threadIdx.x] = weigh(out + blockIdx.x * 64, 1, out + blockIdx.x * 64 + 128); }
*/
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 512, role: input}
  - {name: out, buffer: float, count: 512, role: output}
  - {value: tiles}
*/
