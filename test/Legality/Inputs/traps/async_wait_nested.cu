/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}]
grid: [2, 2]
block: [32, 8]
arguments:
  - {name: A, buffer: float, count: 64 * N + 64, role: input}
  - {name: B, buffer: float, count: 64 * N + 4096, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
#include <cuda_pipeline.h>
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ __align__(16) float As[32][32];
  __shared__ float Bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, col = blockIdx.x * 32;
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    __pipeline_memcpy_async(&As[ty * 4 + tx / 8][tx % 8 * 4], &A[(row + ty * 4 + tx / 8) * n + t + tx % 8 * 4], sizeof(float4));
    for (int r = ty; r < 32; r += 8)
      __pipeline_memcpy_async(&Bs[r][tx], B + (t + r) * 64 + col + tx, 4);
    __pipeline_commit();
    if (t > 0) __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[ty + i * 8][k] * Bs[k][tx];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + ty + i * 8) * 64 + col + tx] = acc[i];
}
