#include <cuda_pipeline.h>
// One group is left under way, and it is the one that is read: a race, and no pipeline.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[i], &in[t * 64 + i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
