#include <cuda_pipeline.h>
// The same with asynchronous copies, in functions.
__device__ void bring(float4 *to, const float4 *from) {
  __pipeline_memcpy_async(to + threadIdx.x, from + threadIdx.x, 16);
  __pipeline_commit();
}
__device__ float work(const float4 *tile) {
  float s = 0.f;
  for (int j = 0; j < 64; ++j) s += tile[j ^ threadIdx.x].x;
  return s;
}
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 ping[64], pong[64];
  float sum = 0.f;
  bring(ping, in);
  for (int t = 0; t < n; t += 2) {
    bring(pong, in + (t + 1) * 64);
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += work(ping);
    __syncthreads();
    bring(ping, in + (t + 2) * 64);
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += work(pong);
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
