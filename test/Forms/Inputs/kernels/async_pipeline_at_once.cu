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
#include <cuda/pipeline>
// A pipeline of one stage: what it is given it is waited for at once.
__global__ void __launch_bounds__(256) gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ __align__(16) float As[32][32];
  __shared__ float Bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, col = blockIdx.x * 32;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto wide = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    {
      pipe.producer_acquire();
      cuda::memcpy_async(&As[ty * 4 + tx / 8][tx % 8 * 4], &A[(row + ty * 4 + tx / 8) * n + t + tx % 8 * 4], wide, pipe);
      for (int r = ty; r < 32; r += 8)
        cuda::memcpy_async(&Bs[r][tx], B + (t + r) * 64 + col + tx, sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[ty + i * 8][k] * Bs[k][tx];
    __syncthreads();
    pipe.consumer_release();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + ty + i * 8) * 64 + col + tx] = acc[i];
}

// LDG-NOT: pipe.
// LDG-NOT: make_pipeline
