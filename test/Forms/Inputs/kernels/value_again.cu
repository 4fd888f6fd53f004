// The block of a sparse row is loaded through an index that the compute phase needs, too: read again there.
__global__ void k(const int *__restrict__ blocks, const float *__restrict__ in, const float *__restrict__ w,
                  float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int b = blocks[t];
    tile[tx] = in[b * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i] * w[b * 64 + i];
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
  - {name: w, buffer: float, count: 5 * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
