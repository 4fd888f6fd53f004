// The same with fragments.
// options: --layout=pad
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void layout_typedef_fragment(const __half *A, float *C, int n) {
  using Row = __half[32];
  __shared__ __align__(32) Row T[32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    for (int i = tx; i < 1024; i += 64) T[i / 32][i % 32] = A[t * 1024 + i];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a; wmma::load_matrix_sync(a, &T[(tx / 32 % 2) * 16][0], 32); for (int q = 0; q < a.num_elements; ++q) s += __half2float(a.x[q]);
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const __half *A, float *C, int n) { layout_typedef_fragment<<<1, 64>>>(A, C, n); }
/* launch
kernel: layout_typedef_fragment
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
arguments:
  - {name: A, buffer: half, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
