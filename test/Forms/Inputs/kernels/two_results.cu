// Functions that write their results to variables of the thread.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      float s, c;
      sincosf(tile[i], &s, &c);
      int e;
      acc = acc * 0.5f + s * c + frexpf(s, &e);
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: (tiles * 64 + 64) * 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
