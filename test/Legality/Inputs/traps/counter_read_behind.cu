// What the loops have left is read behind.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[256];
  const int tx = threadIdx.x;
  int l = 0;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (l = 0; l < 4; l++)
      tile[tx + 64 * l] = in[t * 256 + tx + 64 * l];
    __syncthreads();
    for (l = 0; l < 256; l += 2)
      sum = sum * 0.5f + tile[l ^ tx];
    __syncthreads();
  }
  sum += l;
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
