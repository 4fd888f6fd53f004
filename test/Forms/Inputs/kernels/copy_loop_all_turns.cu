#define T 4 * 32
#define BC 16
#define D 64
// The guard of each turn is left out, and who changes the numbers so that it is needed again is told.
__global__ void __launch_bounds__(T) a(const float *__restrict__ in, float *__restrict__ out, size_t tiles) {
  __shared__ float s[BC * D];
  float sum = 0.f;
  for (size_t t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < BC * D; i += T)
      s[i] = in[t * 64 + i];
    __syncthreads();
    for (int i = 0; i < BC * D; ++i)
      sum = sum * 0.5f + s[(threadIdx.x + i) % (BC * D)];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// options: --block-size=128
// LDG: static_assert((BC * D) % (T) == 0,
// LDG: float s_reg[((BC * D) + (T) - 1) / (T)];
// LDG-NOT: if (i <
/* launch
kernel: a
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: in, buffer: float, count: 2048, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
