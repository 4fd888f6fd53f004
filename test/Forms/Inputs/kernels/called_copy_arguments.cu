// A default argument, a parameter without a name, and a return at the end; a static method.
struct Tiles {
  static __device__ void load(float *to, const float *from, int at, bool = true, int skew = 1) {
    to[threadIdx.x] = from[at + (threadIdx.x ^ skew)];
    return; // done
  }
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    Tiles::load(tile, in, t * 64, false);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = sum;
}
// LDG: int skew = 1;
// LDG-NOT: return;
// LDG: // Main loop
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
