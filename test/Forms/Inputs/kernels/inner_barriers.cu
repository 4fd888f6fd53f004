// inner barriers with scratch
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ float part[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    part[tx] = tile[tx] * tile[63 - tx];
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
      if (tx < s) part[tx] += part[tx + s];
      __syncthreads();
    }
    sum = sum * 0.98f + part[0] + tile[(tx + t) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
