// With one buffer the store finds the row where the main loop has it; nobody else asks for it.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x, at = 0, left = tiles;
  tile[tx] = 0;
  while (left--) {
    __syncthreads();
    if (at + tx < tiles * 64 - 5)
      tile[tx] = in[at + tx];
    __syncthreads();
    at += 64;
    for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63];
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
