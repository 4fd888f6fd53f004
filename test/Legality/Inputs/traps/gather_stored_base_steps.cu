// What is added to the index steps in between.
__device__ float table[256] = {1.f, 2.f, 3.f, 5.f, 7.f};
__global__ void k(const int *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ int ids[64];
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int base = 0;
  for (int t = 0; t < tiles; ++t) {
    const int g = (in[t * 64 + i] & 63) + base;
    base = (base + 64) & 127;
    ids[i] = g;
    tile[i] = table[g];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63] - ids[j] * 0.01f;
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
  - {name: in, buffer: int, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
