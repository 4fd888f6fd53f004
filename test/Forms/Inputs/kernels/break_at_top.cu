__global__ void __launch_bounds__(64) k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float s[256];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 256; i += 64) {
      if (t * 256 + i >= m)
        break;
      s[i] = x[t * 256 + i];
    }
    __syncthreads();
    for (int j = 0; j < min(256, m - t * 256); ++j)
      sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// LDG: for (int turn = 0; turn < 4; ++turn) {
// LDG: if (!(i < 256 && t * 256 + i < m))
// LDG-NEXT: break;
// ASYNC: for (int i = threadIdx.x; i < 256 && t * 256 + i < m; i += 64) {
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: n * 256 + 1, role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: 'n'}
  - {name: m, scalar: int, value: 'max(0, n * 256 - 75)'}
*/
