// The same tile loop, written by hand in ways that a compiler or a programmer may get wrong. Each is a file of its own, with the
// macros that choose it in front.
#include <cuda_pipeline.h>
constexpr int T = 32;

#if defined(SPILLS)
__launch_bounds__(1024, 2) // 32 registers
#endif
__global__ void tiles(const float *__restrict__ a, const float *__restrict__ b, float *out, int n, int limit) {
  __shared__ float as[3][T][T], bs[3][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
#if defined(PLAIN)
  for (int t = 0; t < n; ++t) {
    as[0][ty][tx] = t < limit ? a[t * T * T + ty * T + tx] : 0;
    bs[0][ty][tx] = t < limit ? b[t * T * T + ty * T + tx] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += as[0][ty][k] * bs[0][k][tx];
    __syncthreads();
  }
#elif defined(REGISTERS)
#if defined(SPILLS)
  float many[48];
#pragma unroll
  for (int i = 0; i < 48; ++i)
    many[i] = a[i * 77 + tx];
#endif
  float x = a[ty * T + tx], y = b[ty * T + tx];
  for (int t = 0; t < n; ++t) {
    as[t & 1][ty][tx] = x;
    bs[t & 1][ty][tx] = y;
    __syncthreads();
    if (t + 1 < n) {
      x = a[(t + 1) * T * T + ty * T + tx];
      y = b[(t + 1) * T * T + ty * T + tx];
    }
#if defined(BARRIER_BETWEEN)
    __syncthreads();
#endif
    for (int k = 0; k < T; ++k)
      sum += as[t & 1][ty][k] * bs[t & 1][k][tx];
  }
#elif defined(ASYNC)
  auto load = [&](int s, int t) {
    __pipeline_memcpy_async(&as[s][ty][tx], &a[t * T * T + ty * T + tx], 4);
    __pipeline_memcpy_async(&bs[s][ty][tx], &b[t * T * T + ty * T + tx], 4);
  };
  if (n > 0)
    load(0, 0);
  __pipeline_commit();
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n)
      load((t + 1) & 1, t + 1);
    __pipeline_commit();
    __pipeline_wait_prior(ASYNC);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += as[t & 1][ty][k] * bs[t & 1][k][tx];
    __syncthreads();
  }
#endif
#if defined(SPILLS)
#pragma unroll
  for (int i = 0; i < 48; ++i)
    sum = sum * many[i] + many[47 - i];
#endif
  out[ty * T + tx] = sum;
}
