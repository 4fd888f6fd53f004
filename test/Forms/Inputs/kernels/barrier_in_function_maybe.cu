__device__ void sync_block(int n) { if (n > 1) __syncthreads(); }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[(t * 2 + blockIdx.x) * 64 + tx];
    sync_block(tiles);
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    sync_block(tiles);
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
