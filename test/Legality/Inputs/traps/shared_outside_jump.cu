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
// By a jump backwards the loop comes again.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[33];
  const int tx = threadIdx.x;
  if (tx == 0)
    tile[32] = 1;
  float sum = 0;
  int round = 0;
again:
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 32 + tx];
    __syncthreads();
    for (int j = 0; j < 33; ++j)
      sum = sum * 0.5f + tile[(j + tx) % 33];
    __syncthreads();
  }
  if (++round < 3)
    goto again;
  out[blockIdx.x * 32 + tx] = sum;
}
