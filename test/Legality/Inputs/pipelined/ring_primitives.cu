#include <cuda_pipeline.h>
// A ring of three stages.
#define STAGES 3
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 tile[STAGES][64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < n) __pipeline_memcpy_async(&tile[s][i], &in[s * 64 + i], 16);
    __pipeline_commit();
  }
  for (int t = 0; t < n; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < n)
      __pipeline_memcpy_async(&tile[(t + STAGES - 1) % STAGES][i], &in[(t + STAGES - 1) * 64 + i], 16);
    __pipeline_commit();
    for (int j = 0; j < 64; ++j) sum += tile[t % STAGES][j ^ i].x;
  }
  out[blockIdx.x * 64 + i] = sum;
}
