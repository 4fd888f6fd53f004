// The compute phase changes what the next tile is found by.
__global__ void k(int *blocks, const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int b = blocks[t];
    tile[tx] = in[b * 64 + tx];
    __syncthreads();
    if (tx == 63)
      blocks[t] = b ^ 1;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63] * b;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: blocks, buffer: int, count: tiles, role: inout, fill: "uniform(0, 3)"}
  - {name: in, buffer: float, count: 4 * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
