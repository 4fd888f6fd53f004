// shuffles and votes of a part of the block that is a warp, or less
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    float v = tile[(tx * 7) & 63];
    for (int d = warp.size() / 2; d > 0; d /= 2)
      v = fmaxf(v, warp.shfl_down(v, d));
    sum += warp.shfl(v, 0);
    const cg::thread_block_tile<8, cg::thread_block_tile<32, cg::thread_block>> part = cg::tiled_partition<8>(warp);
    if (part.any(v > 0.9f))
      sum += part.shfl_xor(v, 3) - part.thread_rank();
    sum += __popc(part.ballot(tile[tx] < 0.f));
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
