// The header of the fragments is included in a namespace of the user's.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
namespace mine {
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ half a[256], b[256];
  const int lane = threadIdx.x;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.f);
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < 8; ++i) {
      a[lane + i * 32] = in[t * 512 + lane + i * 32];
      b[lane + i * 32] = in[t * 512 + 256 + lane + i * 32];
    }
    __syncthreads();
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(out + blockIdx.x * 256, acc, 16, wmma::mem_row_major);
}
} // namespace mine
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: half, count: tiles * 512, role: input}
  - {name: out, buffer: float, count: 512, role: output}
  - {value: tiles}
*/
