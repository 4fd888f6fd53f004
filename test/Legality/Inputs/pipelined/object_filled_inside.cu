#include <cooperative_groups.h>
#include <cuda/pipeline>
// The stages are filled by a loop in the body, as far ahead as there are any.
template <int STAGES> __global__ void k(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int tile[STAGES][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < n; ++compute) {
    for (; fetch < n && fetch < compute + STAGES; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetch % STAGES], in + fetch * 64, sizeof(int) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int j = 0; j < 64; ++j) sum += tile[compute % STAGES][j ^ threadIdx.x];
    pipe.consumer_release();
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
template __global__ void k<3>(const int *, int *, int);
