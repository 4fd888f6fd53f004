// The outer loop has a tile of its own, the inner one the other.
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y, int n) {
  __shared__ float s[8][8], u[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y, w = n * 8;
  float v[3];
  for (int c = 0; c < 3; ++c)
    v[c] = 0.0f;
  for (int p = 0; p < n; ++p) {
    s[ty][tx] = a[ty * w + p * 8 + tx];
    for (int c = 0; c < 3; ++c) {
      u[ty][tx] = b[(p * 8 + ty) * 24 + c * 8 + tx];
      __syncthreads();
      for (int j = 0; j < 8; ++j)
        v[c] = v[c] * 0.5f + s[ty][j] * u[j][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < 3; ++c)
    y[(c * 8 + ty) * 8 + tx] = v[c];
}
// SINGLE: float s_reg;
// SINGLE: for (int p = 0; p < n; ++p) {
// SINGLE-NEXT: s[ty][tx] = s_reg;
// SINGLE: float u_reg;
// SINGLE: u[ty][tx] = u_reg;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: [8, 8]
arguments:
  - {name: a, buffer: float, count: 'n * 64 + 1', role: input}
  - {name: b, buffer: float, count: 'n * 192 + 1', role: input}
  - {name: y, buffer: float, count: 192, role: output}
  - {name: n, scalar: int, value: n}
*/
