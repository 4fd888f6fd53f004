// The first tile is loaded in front of the loop, the others in their turns, each between two barriers.
#include <cooperative_groups.h>
__global__ void __launch_bounds__(64) load_under_condition(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[2][32];
  auto block = cooperative_groups::this_thread_block();
  float s = 0;
  tile[threadIdx.x / 32][threadIdx.x % 32] = in[threadIdx.x];
  block.sync();
  for (int t = 0; t < n; ++t) {
    if (t > 0) {
      block.sync(); // done with the last one
      // Row by row.
      const float *row = in + t * 64;
      tile[threadIdx.x / 32][threadIdx.x % 32] = row[threadIdx.x];
      block.sync();
    }
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f + tile[i & 1][i / 2] * (i + threadIdx.x);
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
