// what the load phase sets is changed by another name, and read by one
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float part = 0.f, sum = 0.f;
  float *other = &part;
  for (int t = 0; t < tiles; ++t) {
    part = 0.5f * t;
    tile[tx] = in[t * 64 + tx] + *other;
    *other = 2.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[(i + tx) & 63] * part;
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
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
