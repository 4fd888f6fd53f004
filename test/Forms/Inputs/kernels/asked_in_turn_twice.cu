// Both of two questions, in a loop whose number each thread begins elsewhere.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], other[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const int first = i * 2;
  for (int t = first; t <= first + tiles; ++t) {
    if (t + 1 < first + tiles && t - first != 1) {
      __syncthreads();
      other[i] = sum;
      __syncthreads();
      sum += other[63 - i];
    }
  }
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
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
  - {name: in, buffer: float, count: tiles * 128 + 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
