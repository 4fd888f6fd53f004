#include <cooperative_groups.h>
#include <cuda/pipeline>
// A cuda::pipeline of the whole block, two stages.
namespace cg = cooperative_groups;
__global__ void k(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int tile[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile[0], in, sizeof(int) * 64, pipe);
  pipe.producer_commit();
  for (int t = 1; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[t % 2], in + t * 64, sizeof(int) * 64, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int j = 0; j < 64; ++j) sum += tile[(t - 1) % 2][j ^ threadIdx.x];
    pipe.consumer_release();
    block.sync();
  }
  pipe.consumer_wait();
  for (int j = 0; j < 64; ++j) sum += tile[(n - 1) % 2][j];
  pipe.consumer_release();
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
