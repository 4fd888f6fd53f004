// C = A * B in halves, sums in float; the block of C goes through the memory of the tiles, so that whole rows are stored.
#include <cuda_fp16.h>
#define BM 64
#define BN 64
#define BK 32
__global__ void half_gemm(const __half *__restrict__ A, const __half *__restrict__ B, __half *__restrict__ C, int N, int K) {
  extern __shared__ float4 memory[];
  __half *As = (__half *)memory;
  __half *Bs = As + BM * BK;
  float *Cs = (float *)memory;
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float sum[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    *(float4 *)&As[tid / 4 * BK + tid % 4 * 8] = *(const float4 *)&A[(row + tid / 4) * K + k + tid % 4 * 8];
    *(float4 *)&Bs[tid / 8 * BN + tid % 8 * 8] = *(const float4 *)&B[(k + tid / 8) * N + col + tid % 8 * 8];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < BK; ++i) {
      float a[4], b[4];
      for (int y = 0; y < 4; ++y)
        a[y] = __half2float(As[(ty * 4 + y) * BK + i]);
      for (int x = 0; x < 4; ++x)
        b[x] = __half2float(Bs[i * BN + tx * 4 + x]);
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          sum[y][x] += a[y] * b[x];
    }
    __syncthreads();
  }
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      Cs[(ty * 4 + y) * BN + tx * 4 + x] = sum[y][x];
  __syncthreads();
  for (int i = tid; i < BM * BN; i += 256)
    C[(row + i / BN) * N + col + i % BN] = __float2half(Cs[i]);
}
void launch(const __half *A, const __half *B, __half *C, int M, int N, int K) {
  half_gemm<<<dim3(N / BN, M / BM), 256, BM * BN * sizeof(float)>>>(A, B, C, N, K);
}
