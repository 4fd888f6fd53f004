// Two counters, each for loops of both phases, one in the other.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[256];
  const int tx = threadIdx.x;
  int i, j;
  float a[4];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (i = 0; i < 2; i++)
      for (j = 0; j < 2; j++)
        tile[tx + 64 * (i * 2 + j)] = in[t * 256 + tx + 64 * (i * 2 + j)];
    __syncthreads();
    for (j = 0; j < 64; ++j) {
      for (i = 0; i < 4; ++i)
        a[i] = tile[j * 4 + i];
      for (i = 0; i < 4; ++i)
        sum = sum * 0.5f + a[i];
    }
    __syncthreads();
  }
  out[tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<1, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 256, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
