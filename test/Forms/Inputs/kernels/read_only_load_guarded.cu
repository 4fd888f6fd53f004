// the same in both arms, of vectors, and a store with a policy
__global__ void k(const float2 *in, const int *order, float *out, int tiles) {
  __shared__ float2 tile[64];
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    const int at = __ldg(&order[t * 64 + tx]);
    float2 v = make_float2(0.f, 0.f);
    if (at < tiles * 64)
      v = __ldg(&in[at]);
    tile[tx] = v;
    __syncthreads();
    float sum = 0.f;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63].x - tile[i].y;
    __stcs(out + t * 64 + tx, sum);
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 128, role: input}
  - {name: order, buffer: int, count: tiles * 64 + 64, role: input, fill: 'uniform(0, tiles * 128 + 1)'}
  - {name: out, buffer: float, count: tiles * 64 + 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
