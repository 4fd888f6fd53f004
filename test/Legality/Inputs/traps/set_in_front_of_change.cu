// what the load phase sets is made of what it changes behind that
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float part = 0.f, sum = 0.f;
  const float *from = in + tx;
  int at = 0, left = tiles * 64;
  for (int t = 0; t < tiles; ++t) {
    part = at * 0.5f + left;
    tile[tx] = from[at];
    at += 64;
    left -= 64;
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
