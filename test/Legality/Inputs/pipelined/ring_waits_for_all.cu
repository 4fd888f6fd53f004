#include <cuda_pipeline.h>
// Four stages, but each turn waits for all that is under way.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[4][64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int s = 0; s < 3; ++s) {
    __pipeline_memcpy_async(&tile[s][i], &in[s * 64 + i], 4);
    __pipeline_commit();
  }
  for (int t = 0; t < n; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&tile[(t + 3) & 3][i], &in[(t + 3) * 64 + i], 4);
    __pipeline_commit();
    for (int j = 0; j < 64; ++j) sum += tile[t & 3][j ^ i];
  }
  out[blockIdx.x * 64 + i] = sum;
}
