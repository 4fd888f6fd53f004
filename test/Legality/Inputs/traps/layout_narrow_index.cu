// The index of a row fits into a byte; with a longer pitch it would not.
// options: --layout=pad
#include <cuda_fp16.h>
__global__ void layout_narrow_index(const __half *A, float *C, int n) {
  __shared__ __half T[8][32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 256 + ty * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += __half2float(T[tx & 7][k]); const __half *p = &T[0][0]; if (__half2float(A[0]) > 100.0f) s = __half2float(p[(unsigned char)((tx & 7) * 32) + 2]);
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const __half *A, float *C, int n) { layout_narrow_index<<<1, dim3(32, 8)>>>(A, C, n); }
/* launch
kernel: layout_narrow_index
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 8]
arguments:
  - {name: A, buffer: half, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
