/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 6}]
grid: [2]
block: [32]
arguments:
  - {name: in, buffer: float, count: 64 * (T + 2), role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: tiles, value: T}
*/
// Threads that left would have to copy their part of what the tile holds.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  tile[tx] = 1;
  tile[63 - tx] = 3;
  if (tx >= 24)
    return;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 32 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + tile[(j + tx) % 64];
    __syncthreads();
  }
  out[blockIdx.x * 32 + tx] = sum + tile[63 - tx];
}
