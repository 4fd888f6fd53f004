// The index is in shared memory, where the compute phase puts the next one.
__global__ void k(const int *__restrict__ blocks, const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ int index;
  const int tx = threadIdx.x;
  float sum = 0.f;
  if (tx == 0)
    index = tiles ? blocks[0] : 0;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    const int b = index;
    tile[tx] = in[b * 64 + tx];
    __syncthreads();
    if (tx == 63 && t + 1 < tiles)
      index = blocks[t + 1];
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63] * b;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: blocks, buffer: int, count: tiles, role: input, fill: "uniform(0, 4)"}
  - {name: in, buffer: float, count: 5 * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
