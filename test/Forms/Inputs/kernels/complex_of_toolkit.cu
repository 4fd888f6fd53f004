// cuComplex.h in the compute phase.
#include <cuComplex.h>
__global__ void k(const cuFloatComplex *__restrict__ in, cuFloatComplex *__restrict__ out, int tiles) {
  __shared__ cuFloatComplex tile[64];
  cuFloatComplex acc = make_cuFloatComplex(0.f, 0.f);
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = cuCfmaf(cuConjf(tile[i]), make_cuFloatComplex(0.5f, 0.25f), acc);
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
  - {name: in, buffer: float2, count: (tiles * 64 + 64) * 1, role: input}
  - {name: out, buffer: float2, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
