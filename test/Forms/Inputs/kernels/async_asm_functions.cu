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
// The assembly is in functions of its own, as libraries have them.
__device__ __forceinline__ unsigned place_in_shared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void copy_wide(void *to, const void *from) {
  unsigned place = __cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
}
template <int Bytes> __device__ __forceinline__ void copy_if(void *to, const void *from, bool inside) {
  unsigned place;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(place) : "l"(to));
  int size = inside ? Bytes : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(place), "l"(from), "n"(Bytes), "r"(size));
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;"); }
template <int Left> __device__ __forceinline__ void wait_for_all_but() { asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory"); }

__global__ void __launch_bounds__(256) gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ __align__(16) float As[32][32];
  __shared__ float Bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, col = blockIdx.x * 32;
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    copy_wide(&As[ty * 4 + tx / 8][tx % 8 * 4], &A[(row + ty * 4 + tx / 8) * n + t + tx % 8 * 4]);
    for (int r = ty; r < 32; r += 8)
      copy_if<4>(&Bs[r][tx], B + (t + r) * 64 + col + tx, t + r < n - 7);
    commit();
    wait_for_all_but<0>();
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[ty + i * 8][k] * Bs[k][tx];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + ty + i * 8) * 64 + col + tx] = acc[i];
}

// LDG: Bs[r][tx] =
// LDG-NOT: wait_for_all_but<0>();
// ASYNC-NOT: wait_for_all_but<0>();
