/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}]
grid: [2, 2]
block: [8, 32]
arguments:
  - {name: A, buffer: float, count: 64 * N, role: input}
  - {name: B, buffer: float, count: 64 * N, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
#define LDG128(v, p)                                                                                                   \
  asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
__device__ __forceinline__ float4 ldg_nc(const float *p) {
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ unsigned tf32(float x) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
  return r;
}
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[32][32], Bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx * 4;
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    float4 a;
    LDG128(a, A + row * n + t + tx * 4)
    As[tx * 4][ty] = __uint_as_float(tf32(a.x));
    As[tx * 4 + 1][ty] = a.y;
    unsigned z;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(z) : "f"(a.z));
    As[tx * 4 + 2][ty] = __uint_as_float(z);
    As[tx * 4 + 3][ty] = a.w;
    *reinterpret_cast<float4 *>(&Bs[ty][tx * 4]) = ldg_nc(B + (t + ty) * 64 + col);
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[k][ty] * Bs[k][tx * 4 + i];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[row * 64 + col + i] = acc[i];
}
