// The guard's index is an int that is made of an unsigned sum, with a product in it.
// options: --block-size=64 --assume=block-size
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int base, int n) {
  __shared__ float tile[64];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int at = base + t * 64 + threadIdx.x;
    if (at < n)
      tile[threadIdx.x] = in[at];
    __syncthreads();
    const int first = base + t * 64;
    for (int i = 0; i < 64; ++i)
      if (first + i < n)
        sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, base: 0, n: 9}, {tiles: 1, base: 7, n: 60}, {tiles: 2, base: 3, n: 100}, {tiles: 5, base: 0, n: 301}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: base + 64 * tiles + 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
  - {value: base}
  - {value: n}
*/
