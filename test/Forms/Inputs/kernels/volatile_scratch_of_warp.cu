// The sum of a warp goes by a volatile array, as it was done before there were shuffles.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ volatile float part[64];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    part[i] = tile[63 - i] * (i + 1);
    __syncwarp();
    if (i % 32 < 16) {
      part[i] = part[i] + part[i + 16];
    }
    __syncwarp();
    sum += part[i & 32] + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
