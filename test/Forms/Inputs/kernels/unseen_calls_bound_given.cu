// The number of tiles is for the callers to say, and none is seen: another file has them, that includes this one.
static __device__ float weigh(const float *__restrict__ in, int tiles, float bias) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = bias;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    __syncthreads();
  }
  return sum;
}
/* elsewhere
__global__ void twice(const float *in, float *out, int tiles) {
  const float first = weigh(in, tiles, 0.5f);
  out[blockIdx.x * 64 + threadIdx.x] = weigh(in + 64, tiles + 1, first);
}
*/
/* launch
kernel: twice
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 512, role: input}
  - {name: out, buffer: float, count: 512, role: output}
  - {value: tiles}
*/
