// The compute phase gives the block's name to a part of it.
#include <cooperative_groups.h>
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, const int *__restrict__ flags, float *__restrict__ out, int n) {
  auto b = cooperative_groups::this_thread_block();
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx] = in[t * 64 + tx];
    b.sync();
    for (int i = 0; i < 2; ++i) { sum = sum * 0.5f + tile[(63 - tx + i) % 64]; b.sync(); }
    auto b = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    sum += b.thread_rank();
    b.sync();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}, {n: 9}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: flags, buffer: int, count: 4096, role: input, fill: "uniform(-20, 90)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
