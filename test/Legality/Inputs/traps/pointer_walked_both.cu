// The same variable is stepped for both places.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int n = 0;
  for (int t = 0; t < tiles; ++t) {
    n = t * 64;
    float *to = tile;
    to[tx] = in[n++ + tx];
    to[63 + n - t * 64 + tx] = in[n + tx];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.98f + tile[(i + tx) % 128];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 256 + 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
