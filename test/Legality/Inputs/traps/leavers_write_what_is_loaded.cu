// Threads that have left the loop store what the others load behind the next barrier.
__global__ void k(float *x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0.0f;
  const int tx = threadIdx.x;
  for (int t = tx < 32 ? 0 : 2; t < n; ++t) {
    s[tx] = x[t * 64 + tx];
    for (int q = 0; q < 2; ++q) {
      __syncthreads();
      sum = sum * 0.5f + s[(tx + q) & 63];
    }
    __syncthreads();
  }
  if (tx >= 32)
    x[n * 64 - 1 - tx] = sum;
  y[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 3}, {n: 4}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: n * 64 + 1, role: inout}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
