// Branches of the preprocessor in both phases, one in the other, and one in the middle of a statement.
#define WIDTH 4
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
#pragma unroll 1
  for (int t = 0; t < tiles; ++t) {
#ifdef TWICE
    tile[tx] = in[t * 64 + tx] * 2.f;
#elif WIDTH == 4 // all of them
#  ifndef TWICE
    tile[tx] = in[t * 64 + tx];
#  endif
#else
    tile[tx] = 0;
#endif
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f +
#if defined(TWICE) || WIDTH < 4
            1.f +
#endif
            tile[(i + tx) & 63];
#if 0
    break;
#endif
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
