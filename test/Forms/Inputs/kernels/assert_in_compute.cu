#include <assert.h>
// Whoever fails has no results, with or without the loads of the next tile.
__device__ float checked(float x) {
  assert(x < 1e9f);
  return x * 0.98f;
}
__global__ void checks(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = checked(sum) + tile[(i + tx) & 63];
    if (sum > 1e20f)
      __trap();
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: checks
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
