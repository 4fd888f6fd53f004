// The row is a byte of the number, and comes round.
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float left[32][8], right[8][32];
  const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 8) {
    for (int r = 0; r < 16; ++r) {
      const unsigned char row = (unsigned char)(r * blockDim.y * 8 + ty);
      if (row < 32)
        left[row][tx] = a[row * n + k + tx + r];
    }
    for (int r = 0; r < 4; ++r)
      if (ty + r != 0)
        left[r * 8 + ty][tx] = a[(r * 8 + ty) * n + k + tx];
    for (int c = 0; c < 4; ++c)
      right[ty][blockDim.x * c + tx] = b[(k + ty) * 64 + col + blockDim.x * c + tx];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
          sum[r][c] += left[r * blockDim.y + ty][j] * right[j][c * blockDim.x + tx];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      out[(r * blockDim.y + ty) * 64 + col + c * blockDim.x + tx] = sum[r][c];
}
/* launch
kernel: k
cases: [{n: 0}, {n: 8}, {n: 16}, {n: 24}, {n: 56}]
grid: [2, 1]
block: [8, 8]
arguments:
  - {name: a, buffer: float, count: 32 * n + 64, role: input}
  - {name: b, buffer: float, count: n * 64 + 64, role: input}
  - {name: out, buffer: float, count: 32 * 64, role: output}
  - {name: n, scalar: int, value: n}
*/
