#include <cuda_pipeline.h>
// Two stages in turns, but each is waited for at once.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[2][64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[t & 1][i], &in[t * 64 + i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += tile[t & 1][j ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
