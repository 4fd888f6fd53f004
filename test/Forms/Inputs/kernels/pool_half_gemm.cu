#include <cuda_fp16.h>
// A product of halves, whose result goes through the memory of the tiles, by a pointer of its own.
#define BM 32
#define BN 32
#define BK 16
__global__ void gemm_h(const __half *__restrict__ A, const __half *__restrict__ B, __half *__restrict__ C, int M, int N, int K) {
  extern __shared__ char smem[];
  __half *As = (__half *)smem;
  __half *Bs = As + BM * BK;
  float *Cs = (float *)smem;
  int tid = threadIdx.x;
  int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  int ty = tid / 16, tx = tid % 16;
  float acc[2][2] = {{0.f, 0.f}, {0.f, 0.f}};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 8; i += 256) {
      int r = i / (BK / 8), c = i % (BK / 8) * 8;
      *(float4 *)&As[r * BK + c] = *(const float4 *)&A[(row0 + r) * K + k0 + c];
    }
    for (int i = tid; i < BK * BN / 8; i += 256) {
      int r = i / (BN / 8), c = i % (BN / 8) * 8;
      *(float4 *)&Bs[r * BN + c] = *(const float4 *)&B[(k0 + r) * N + col0 + c];
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] += __half2float(As[(ty * 2 + i) * BK + k]) * __half2float(Bs[k * BN + tx * 2 + j]);
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      Cs[(ty * 2 + i) * BN + tx * 2 + j] = acc[i][j];
  __syncthreads();
  for (int i = tid; i < BM * BN; i += 256)
    C[(row0 + i / BN) * N + col0 + i % BN] = __float2half(Cs[i]);
}
void launch(const __half *A, const __half *B, __half *C, int M, int N, int K) {
  gemm_h<<<dim3(N / BN, M / BM), 256, BM * BN * sizeof(float)>>>(A, B, C, M, N, K);
}
/* launch
kernel: gemm_h
cases: [{K: 16}, {K: 32}, {K: 48}, {K: 80}]
grid: [2, 1]
block: [256, 1]
shared: 4096
arguments:
  - {name: A, buffer: half, count: 32 * K, role: input}
  - {name: B, buffer: half, count: K * 64, role: input}
  - {name: C, buffer: half, count: 32 * 64, role: output}
  - {value: 32}
  - {value: 64}
  - {value: K}
*/
