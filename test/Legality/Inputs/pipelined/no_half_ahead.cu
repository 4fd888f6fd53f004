#include <cuda_pipeline.h>
// One of two tiles is ahead, the other is waited for at once.
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n) {
  __shared__ float keys[64], values[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&keys[i], &A[t * 64 + i], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&values[i], &B[t * 64 + i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float s = 0.f;
    for (int j = 0; j < 64; ++j) s += keys[j ^ i];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += s * values[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
