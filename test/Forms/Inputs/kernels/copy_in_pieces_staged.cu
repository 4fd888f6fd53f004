struct alignas(8) Row {
  float x[6];
};
__global__ void k(const Row *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ Row tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    Row r = Row();
    if (t * 64 + i < 150)
      r = in[t * 64 + i];
    tile[i] = r;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63].x[5] - tile[j].x[0];
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
  - {name: in, buffer: float, count: tiles * 384, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
