// The guard's condition moves the index: the same words name another element behind it.
// options: --assume=block-size --block-size=64
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ float S[128];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    int q = tx; S[q] = 2.f; if ((q += 64, t * 64 + tx < n)) S[q] = A[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) { acc = acc * 0.9f + S[i]; if (t * 64 + i < n) acc += S[64 + i]; }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: A, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
