/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}]
grid: [2, 2]
block: [32, 8]
arguments:
  - {name: A, buffer: float, count: 64 * N, role: input}
  - {name: B, buffer: float, count: 64 * N, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
// The threads are numbered by the cooperative group of the block.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[32][32], Bs[32][32];
  const cg::thread_block block = cg::this_thread_block();
  const int tx = block.thread_index().x, ty = block.thread_index().y;
  const int row = block.group_index().y * 32, col = block.group_index().x * 32;
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    for (unsigned i = block.thread_rank(); i < 32 * 32; i += block.size()) {
      As[i / 32][i % 32] = A[(row + i / 32) * n + t + i % 32];
      Bs[i / 32][i % 32] = B[(t + i / 32) * 64 + col + i % 32];
    }
    block.sync();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[ty + i * 8][k] * Bs[k][tx];
    block.sync();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + ty + i * 8) * 64 + col + tx] = acc[i];
}
