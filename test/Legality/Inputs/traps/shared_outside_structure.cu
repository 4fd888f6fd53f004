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
// A structure of the function keeps where the tile is.
struct Ends {
  float *last, *first;
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[40];
  const int tx = threadIdx.x;
  Ends ends = {tile + 30, tile};
  if (tx == 0)
    tile[32] = 2;
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 32 + tx];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum = sum * 0.5f + ends.last[(j + tx) % 2] * ends.first[j];
    __syncthreads();
  }
  out[blockIdx.x * 32 + tx] = sum + tile[32];
}
