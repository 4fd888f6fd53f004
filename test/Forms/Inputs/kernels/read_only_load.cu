// what __ldg reads, the kernel writes nowhere
__global__ void k(const float *in, float *out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = __ldg(in + t * 64 + tx);
    __syncthreads();
    float sum = 0.f;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    out[t * 64 + tx] = sum;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: tiles * 64 + 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
