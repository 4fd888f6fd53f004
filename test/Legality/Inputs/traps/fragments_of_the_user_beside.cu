// The same, beside the header in the same namespace.
#include <cuda_fp16.h>
namespace {
#include <mma.h>
namespace nvcuda {
namespace wmma {
struct tile_of {
  float *at;
};
__device__ float *kept;
__device__ void load_matrix_sync(tile_of &f, half *from, unsigned) { f.at = reinterpret_cast<float *>(from); }
__device__ void mma_sync(float &sum, const tile_of &a, const tile_of &b, float c) {
  sum = c + __half2float(reinterpret_cast<half *>(a.at)[threadIdx.x]) - __half2float(reinterpret_cast<half *>(b.at)[threadIdx.x]);
  reinterpret_cast<half *>(a.at)[threadIdx.x] = __float2half(sum);
}
} // namespace wmma
} // namespace nvcuda
using namespace nvcuda;
__global__ void k(const half *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ half a[64], b[64];
  const int lane = threadIdx.x;
  wmma::tile_of fa, fb;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < 2; ++i) {
      a[lane + i * 32] = in[t * 128 + lane + i * 32];
      b[lane + i * 32] = in[t * 128 + 64 + lane + i * 32];
    }
    __syncthreads();
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    acc += __half2float(a[lane + 32]) + __half2float(a[lane]);
    __syncthreads();
  }
  out[blockIdx.x * 32 + lane] = acc;
}
} // namespace
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: half, count: tiles * 128, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
