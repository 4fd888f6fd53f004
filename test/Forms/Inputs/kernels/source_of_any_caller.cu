// The function is called with global memory and with an array in shared memory.
__device__ float add(const float *from, float sum, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = from[t * 16 + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
  }
  return sum;
}
__global__ void k(const float *in, float *__restrict__ out, int tiles) {
  __shared__ float table[128];
  const int tx = threadIdx.x;
  table[tx] = in[tx];
  table[64 + tx] = in[tx] * 0.5f;
  __syncthreads();
  float sum = add(in, 0.f, tiles);
  out[tx] = add(table, sum, 3);
}
void run(const float *in, float *out, int n) { k<<<1, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 5}, {tiles: 8}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 64 + tiles * 16, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
