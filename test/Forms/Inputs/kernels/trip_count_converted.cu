// What the variables are set to is not what they hold: the registers are counted by that.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[64 * 10], r[64 * 10];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int n = 2.5f * 4;
    const unsigned char m = 256 + 10;
    for (int j = 0; j < n; ++j)
      s[j * 64 + threadIdx.x] = in[t * 64 + j * 7 + threadIdx.x];
    for (int j = 0; j < m; ++j)
      r[j * 64 + threadIdx.x] = in[t * 64 + j * 3 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 640; ++i)
      sum = sum * 0.5f + s[(threadIdx.x + i) % 640] - r[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// LDG: float s_reg[10];
// LDG-NEXT: float r_reg[10];
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
