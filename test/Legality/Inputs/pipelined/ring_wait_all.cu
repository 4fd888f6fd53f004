#include <cuda_pipeline.h>
// Two stages; all copies are waited for at the end of the turn, behind the compute phase.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[2][64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int cur = 0;
  __pipeline_memcpy_async(&tile[0][i], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n) {
      __pipeline_memcpy_async(&tile[cur ^ 1][i], &in[(t + 1) * 64 + i], 4);
      __pipeline_commit();
    }
    for (int j = 0; j < 64; ++j) sum += tile[cur][j ^ i];
    __pipeline_wait_prior(0);
    __syncthreads();
    cur ^= 1;
  }
  out[blockIdx.x * 64 + i] = sum;
}
