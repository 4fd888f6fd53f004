// A structure of two pairs of halves is copied member by member, which is its bytes.
#include <cuda_fp16.h>
struct __align__(8) Quad {
  __half2 a, b;
};
__global__ void k(const Quad *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ Quad tile[64];
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      Quad q = tile[i];
      acc = acc * 0.5f + __low2float(q.a) + __high2float(q.b);
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
  - {name: in, buffer: half, count: (tiles * 64 + 64) * 4, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
