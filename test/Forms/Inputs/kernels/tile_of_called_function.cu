/* launch
kernel: calls
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 5}]
grid: [2]
block: [32]
arguments:
  - {name: in, buffer: float, count: 32 * (T + 1) * 2, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: T}
*/
// What one call leaves in the tile the next one finds.
__device__ float pass(const float *in, int tiles, float start) {
  __shared__ float tile[33];
  const int tx = threadIdx.x;
  if (start == 0 && tx == 0)
    tile[32] = 4;
  float sum = start;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 33; ++k)
      sum = sum * 0.5f + tile[(tx + k) % 33];
    __syncthreads();
  }
  return sum;
}
__global__ void calls(const float *in, float *out, int tiles) {
  float sum = pass(in, tiles, 0);
  sum = pass(in + 32 * tiles, tiles, 1 + sum * sum);
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
