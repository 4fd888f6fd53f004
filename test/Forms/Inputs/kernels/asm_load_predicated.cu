/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}, {N: 150}]
grid: [2, 2]
block: [32, 8]
arguments:
  - {name: A, buffer: float, count: 64 * N, role: input}
  - {name: B, buffer: float, count: 64 * N, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[32][32], Bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float acc[4] = {};
  for (int t = 0; t < n; t += 32) {
    float a[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      asm volatile("{.reg .pred p;\n setp.ne.b32 p, %2, 0;\n mov.b32 %0, 0;\n @p ld.global.nc.L1::evict_last.L2::128B.f32 %0, [%1];}\n"
                   : "=f"(a[i]) : "l"(A + (row + 8 * i) * n + t + tx), "r"((int)(t + tx < n)));
#pragma unroll
    for (int i = 0; i < 4; ++i)
      As[ty + 8 * i][tx] = a[i];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float b = 0;
      if (t + ty + 8 * i < n)
        asm volatile("ld.global.nc.f32 %0, [%1 + 0];" : "=f"(b) : "l"(B + (t + ty + 8 * i) * 64 + col));
      Bs[ty + 8 * i][tx] = b;
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += As[ty + 8 * i][k] * Bs[k][tx];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + 8 * i) * 64 + col] = acc[i];
}
