// One past the end of a row is a good place, and says nothing of what else is added to a row's beginning.
// options: --layout=pad
__global__ void layout_past_the_end(const float *A, float *C, int n) {
  __shared__ float T[32][32];
  const float *p = &T[0][0];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    for (int r = ty; r < 32; r += blockDim.y)
      for (int c = tx; c < 32; c += blockDim.x)
        T[r][c] = A[t * 1024 + r * 32 + c];
    __syncthreads();
    const float *end = &T[tx & 31][32];
    for (int k = 0; k < 32; ++k)
      s += T[tx & 31][k];
    s += p[tx] + end[-1];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_past_the_end<<<1, 32>>>(A, C, n); }
/* launch
kernel: layout_past_the_end
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 256
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
