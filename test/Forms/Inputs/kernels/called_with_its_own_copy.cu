// What is called has a copy of a variable of the same name: it changes the one or the other, in words that do not look like it.
__device__ void load(float *to, const float *from, int q, int &next) {
  next += 1;
  to[threadIdx.x] = from[(threadIdx.x + q) & 63];
}
__device__ void load_more(float *to, const float *from, int q, int r) {
  int other = 0;
  (from != nullptr ? q : other) += 3;
  asm("add.s32 %0, %0, 1;" : "+r"(r));
  to[threadIdx.x] = from[(threadIdx.x + q + r + other) & 63];
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ float more[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int q = 0, r = 5;
  for (int t = 0; t < tiles; ++t) {
    load(tile, in + t * 64, q, q);
    load_more(more, in + t * 32, q, r);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) & 63] * more[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum + q + r;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 5 * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/

// LDG: int q_in = q;
// LDG: int r_in = r;
