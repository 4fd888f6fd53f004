#include <cuda_pipeline.h>
// Two tiles in one group, which is left under way and read.
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n) {
  __shared__ float first[64], second[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&first[i], &A[t * 64 + i], 4);
    __pipeline_memcpy_async(&second[i], &B[t * 64 + i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += first[j ^ i] * second[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
