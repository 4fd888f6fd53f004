// A fragment of halves in a tile of floats: its leading dimension counts halves.
// options: --layout=pad
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void layout_narrow_fragment(const float *A, float *C, int n) {
  __shared__ __align__(32) float T[32][32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 1024 + ty * 32 + tx];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a; wmma::load_matrix_sync(a, (const __half *)&T[(ty & 1) * 16][0], 64); for (int q = 0; q < a.num_elements; ++q) s += __half2float(a.x[q]);
    for (int k = 0; k < 32; ++k) s += T[tx][k];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_narrow_fragment<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_narrow_fragment
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
