// options: --block-size=64 --assume=block-size
// Differences of unsigned numbers that may go round, of two cases each: not worth an hour.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, unsigned n) {
  __shared__ float tile[64];
  const unsigned x = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const unsigned k = n < 64 ? 2147483748u : x;
    if (t == 0 || x - k > k)
      tile[x] = in[t * 64 + x];
    __syncthreads();
    for (unsigned i = 0; i < 64; ++i) {
      const int k = n < 64 ? 2147483748u : i;
      if (i - k > k)
        sum = sum * 0.5f + tile[i];
    }
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, n: 3}, {tiles: 1, n: 100}, {tiles: 5, n: 100}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
  - {value: n}
*/
