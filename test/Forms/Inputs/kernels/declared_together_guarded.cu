__global__ void k(const unsigned short *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], other[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int at = i;
  for (int t = 0; t < tiles; ++t) {
    unsigned short const a = at < tiles * 64 ? in[at] : 0, b = at >= 64 ? in[at - 64] : 0;
    at += 64;
    tile[i] = a * 0.5f;
    other[i] = b;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63] - other[j];
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
  - {name: in, buffer: short, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
