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
// Copies by assembly, to addresses that are numbers: of a place in the array, of the array and an offset, and by a variable.
#define CP_ASYNC_CG(dst, src, bytes) \
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))
#define CP_ASYNC_CA(dst, src, bytes) asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

__global__ void __launch_bounds__(256) gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ __align__(16) float As[32][36];
  __shared__ float Bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, col = blockIdx.x * 32;
  const unsigned place_of_B = __cvta_generic_to_shared(&Bs[0][0]);
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&As[ty * 4 + tx / 8][0])) + tx % 8 * 16;
    CP_ASYNC_CG(place, &A[(row + ty * 4 + tx / 8) * n + t + tx % 8 * 4], 16);
    for (int i = 0; i < 4; ++i) {
      unsigned to = place_of_B + ((i * 8 + ty) * 32 + tx) * sizeof(float);
      CP_ASYNC_CA(to, B + (t + i * 8 + ty) * 64 + col + tx, 4);
    }
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(0);
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[ty + i * 8][k] * Bs[k][tx];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + ty + i * 8) * 64 + col + tx] = acc[i];
}

// LDG: gemm(const float
// LDG-NOT: CP_ASYNC
// LDG-NOT: place
// LDG: (&As[ty * 4 + tx / 8][0])[tx % 8] =
// LDG-NOT: CP_ASYNC
// LDG-NOT: place
// ASYNC: gemm(const float
// ASYNC-NOT: place
// ASYNC: __pipeline_memcpy_async(&(&Bs[0][0])[(i * 8 + ty) * 32 + tx]
// ASYNC-NOT: CP_ASYNC
