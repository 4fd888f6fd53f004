/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}]
grid: [2, 2]
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 64 * N, role: input}
  - {name: B, buffer: float, count: 64 * N, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[32][32], Bs[32][32];
  cg::thread_block block = cg::this_thread_block();
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float acc = 0;
  for (int t = 0; t < n; t += 32) {
    for (int r = 0; r < 32; ++r) {
      cg::memcpy_async(block, As[r], A + (blockIdx.y * 32 + r) * n + t, sizeof(float) * 32);
      cg::memcpy_async(block, Bs[r], B + (t + r) * 64 + blockIdx.x * 32, sizeof(float) * 32);
    }
    cg::wait(block);
    for (int k = 0; k < 32; ++k)
      acc += As[ty][k] * Bs[k][tx];
    block.sync();
  }
  C[row * 64 + col] = acc;
}

// ASYNC: for (unsigned i = block.thread_rank(); i < 32; i += block.size())
// ASYNC-NOT: cg::memcpy_async
// ASYNC-NOT: cg::wait
