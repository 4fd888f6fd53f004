// A part in front has a barrier of its own, where what the caller says is more than nothing.
static __device__ void parts(const float *__restrict__ in, float *__restrict__ out, int rows, int tiles) {
  __shared__ float tile[64];
  const int i = threadIdx.x, diagonal = rows - blockIdx.x * 2;
  float sum = 0.f;
  if (diagonal > 0) {
    tile[i] = in[diagonal];
    __syncthreads();
    sum = tile[63 - i];
    __syncthreads();
  }
  for (int t = 0; t < tiles - diagonal; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    __syncthreads();
  }
  out[i] = sum;
}
/* elsewhere
__global__ void both(const float *in, float *out, int tiles) {
  parts(in, out + blockIdx.x * 64, 2, tiles + blockIdx.x);
}
*/
/* launch
kernel: both
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 512, role: input}
  - {name: out, buffer: float, count: 512, role: output}
  - {value: tiles}
*/
