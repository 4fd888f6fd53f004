// Nobody can say how many elements a thread copies.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n, int d) {
  extern __shared__ float s[];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    const int count = min(16, 16 * n - t * 16) * d;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
      s[i] = x[t * 16 * d + i];
    __syncthreads();
    for (int j = 0; j < count; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// SINGLE: float s_reg[8];
// SINGLE: int i = threadIdx.x;
// SINGLE-NEXT: #pragma unroll
// SINGLE-NEXT: for (int turn = 0; turn < 8; ++turn, i += blockDim.x) {
// SINGLE-NEXT: if (!(i < count))
// SINGLE-NEXT: break;
// SINGLE-NEXT: s_reg[turn] = x[t * 16 * d + i];
// SINGLE: s[i] = s_reg[turn];
// SINGLE: // The rest is loaded where it is stored.
// SINGLE-NEXT: for (; i < count; i += blockDim.x)
// SINGLE-NEXT: s[i] = x[t * 16 * d + i];
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
shared: 16 * 45 * 4
arguments:
  - {name: x, buffer: float, count: 'n * 16 * 45 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: d, scalar: int, value: '45'}
*/
