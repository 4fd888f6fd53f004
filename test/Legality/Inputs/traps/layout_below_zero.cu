// A flat index from the middle of the tile, below zero.
// options: --layout=pad
__global__ void layout_below_zero(const float *A, float *C, int n) {
  __shared__ float T[1024];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    for (int i = ty * blockDim.x + tx; i < 512; i += blockDim.x * blockDim.y) {
      float *mid = T + 16 * 32;
      mid[i] = A[t * 1024 + i];
      mid[-1 - i] = A[t * 1024 + 1023 - i];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += T[(tx % 32) * 32 + k];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_below_zero<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_below_zero
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
