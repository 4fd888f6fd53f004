/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 6}]
grid: [2]
block: [8, 3]
arguments:
  - {name: in, buffer: float, count: 64 * (T + 2), role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: tiles, value: T}
*/
// Blocks of fewer threads than the tile has elements, and of two dimensions.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[5][61];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty * 8 + tx; i < 305; i += 24)
    (&tile[0][0])[i] = i;
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[ty][tx * 3] = in[t * 32 + ty * 8 + tx];
    __syncthreads();
    for (int j = 0; j < 305; ++j)
      sum = sum * 0.5f + tile[(j + tx) % 5][(j * 7 + ty) % 61];
    __syncthreads();
  }
  __syncthreads();
  for (int j = 0; j < 305; ++j)
    sum += tile[(j + tx) % 5][(j * 7 + ty) % 61] * j;
  out[blockIdx.x * 32 + ty * 8 + tx] = sum;
}
