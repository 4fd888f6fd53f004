// The fill is a constant, but its name means another constant where the tile is stored.
enum { Fill = 3 };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float v = Fill;
    if (tx % 3) v = in[t * 64 + tx];
    {
      const float Fill = 7;
      tile[tx] = v;
      (void)Fill;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(tx + i) % 64];
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
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
