__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int base) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = i; t < tiles * 64 + (i & 32) * 2; t += 64) {
    tile[i] = in[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, base: 5}, {tiles: 1, base: 0}, {tiles: 2, base: 64}, {tiles: 5, base: 3}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: base + tiles * 64 + 256, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: base}
*/
