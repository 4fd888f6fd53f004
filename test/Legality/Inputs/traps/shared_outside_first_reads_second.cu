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
// In a loop around them each reads what the other one has left.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0;
  tile[tx + 32] = 0;
  for (int r = 0; r < 3; ++r) {
    for (int t = 0; t < tiles; ++t) {
      tile[tx] = in[t * 32 + tx];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.5f + tile[(j + tx) % 64];
      __syncthreads();
    }
    for (int t = tiles - 1; t >= 0; --t) {
      tile[tx + 32] = in[t * 32 + tx] + r;
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.5f + tile[(j + tx) % 64];
      __syncthreads();
    }
  }
  out[blockIdx.x * 32 + tx] = sum;
}
