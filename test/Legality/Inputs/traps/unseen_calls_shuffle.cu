// The place of a load comes from the neighbour, who may have gone by then.
static __device__ float weigh(const float *in, int tiles) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int at = __shfl_xor_sync(~0u, i * 2 + t, 1);
    tile[i] = in[t * 64 + (at & 63)];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    __syncthreads();
  }
  return sum;
}
/* elsewhere
__global__ void k(const float *in, float *out, int tiles) { out[blockIdx.x * 64 + threadIdx.x] = weigh(in, tiles); }
*/
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 512, role: input}
  - {name: out, buffer: float, count: 512, role: output}
  - {value: tiles}
*/
