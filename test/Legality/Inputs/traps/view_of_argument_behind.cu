__device__ void tiles_of(const float *__restrict__ in, int tiles, const float (&weights)[64], float *mine, float &sum) {
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    mine[tx] = in[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + mine[63 - tx] * weights[tx];
    __syncthreads();
  }
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float weights[64];
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  float *all = tile;
  weights[tx] = 0.25f * tx;
  __syncthreads();
  tiles_of(in, tiles, weights, all, sum);
  sum += all[(tx + 1) % 64];
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
