/* launch
kernel: nested
cases: [{R: 0, T: 2}, {R: 1, T: 0}, {R: 1, T: 3}, {R: 3, T: 1}, {R: 2, T: 4}]
grid: [2]
block: [16, 4]
arguments:
  - {name: a, buffer: float, count: 64 * (T + 1) * (R + 1), role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: rounds, value: R}
  - {name: tiles, value: T}
*/
// Three loops in a loop around them, two of them with one tile, and one with both.
__global__ void nested(const float *a, float *out, int rounds, int tiles) {
  __shared__ float left[4][16], right[4][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int r = 0; r < rounds; ++r) {
    const float *from = a + r * tiles * 64;
    for (int t = 0; t < tiles; ++t) {
      left[ty][tx] = from[t * 64 + ty * 16 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc = acc * 0.5f + left[ty][(k + tx) % 16];
      __syncthreads();
    }
    for (int t = 0; t < tiles; ++t) {
      right[ty][tx] = from[t * 64 + ty * 16 + 15 - tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc = acc * 0.5f + right[3 - ty][(k + tx) % 16];
      __syncthreads();
    }
    for (int t = tiles - 1; t >= 0; --t) {
      left[ty][tx] = from[t * 64 + ty * 16 + tx];
      right[ty][tx] = from[t * 64 + (3 - ty) * 16 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc = acc * 0.5f + left[ty][k] * right[k % 4][tx];
      __syncthreads();
    }
  }
  out[blockIdx.x * 64 + ty * 16 + tx] = acc;
}
