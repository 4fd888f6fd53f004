struct Wipe { float *p; __device__ ~Wipe() { p[threadIdx.x] = 0.f; } };
__global__ void k(const float *__restrict__ in, float *w, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  if (tiles == 0) return;
  Wipe wipe{w};
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 63] * w[i];
    __syncthreads();
  }
  asm volatile("" : "+f"(sum));
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: w, buffer: float, count: 64, role: inout}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
