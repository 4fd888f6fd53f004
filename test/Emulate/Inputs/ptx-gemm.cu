// A GEMM as people write it by hand: cp.async, ldmatrix and mma.sync in inline PTX, two stages.
// -DREFERENCE: the same product without PTX, k ascending. The others each plant a bug.
#include <cstdint>
#include <cuda_fp16.h>

#define BM 64
#define BN 64
#define BK 32

#ifdef REFERENCE
extern "C" __global__ void gemm(const half *A, const half *B, float *C, int M, int N, int K) {
  for (int i = threadIdx.x; i < BM * BN; i += blockDim.x) {
    int row = blockIdx.y * BM + i / BN, column = blockIdx.x * BN + i % BN;
    float sum = 0;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[column * K + k]);
    C[row * N + column] = sum;
  }
}
#else

__device__ __forceinline__ uint32_t shared_address(const void *p) {
  uint32_t a;
  asm("{ .reg .u64 wide;\n"
      "  cvta.to.shared.u64 wide, %1;  // from a generic address\n"
      "  cvt.u32.u64 %0, wide; }\n"
      : "=r"(a)
      : "l"(p));
  return a;
}

// Four warps of 32 x 32 each.
extern "C" __global__ void gemm(const half *A, const half *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) half As[2][BM][BK + 8];
  __shared__ __align__(16) half Bs[2][BN][BK + 8];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int wm = warp / 2 * 32, wn = warp % 2 * 32;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN * K;
  float acc[2][4][4] = {};
  auto load = [&](int s, int k0) {
    for (int i = t; i < BM * BK / 8; i += 128) {
      int r = i / (BK / 8), c = i % (BK / 8) * 8;
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(
                       shared_address(&As[s][r][c])),
                   "l"(A + r * K + k0 + c), "n"(16));
      asm volatile("{ .reg .pred p;\n"
                   "  setp.ne.b32 p, %2, 0;\n"
                   "  @p cp.async.cg.shared.global [%0], [%1], 16, %3;\n"
                   "}\n" ::"r"(shared_address(&Bs[s][r][c])),
                   "l"(B + r * K + k0 + c), "r"(1),
#ifdef SHORT_COPY
                   "r"(c == 8 ? 8 : 16)
#else
                   "r"(16)
#endif
                   : "memory");
    }
    asm volatile("cp.async.commit_group;\n" ::);
  };
  load(0, 0);
  int stage = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (k0 + BK < K) {
      load(stage ^ 1, k0 + BK);
#ifdef WAIT_LATE
      asm volatile("cp.async.wait_group %0;\n" ::"n"(2));
#else
      asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
#endif
    } else {
      asm volatile("cp.async.wait_group 0;\n" ::);
    }
    asm volatile("bar.sync 0;" ::: "memory");
    for (int kk = 0; kk < BK; kk += 16) {
      uint32_t a[2][4], b[4][2];
      for (int i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                     : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                     : "r"(shared_address(&As[stage][wm + i * 16 + lane % 16][kk + lane / 16 * 8])));
      for (int j = 0; j < 4; ++j)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];\n"
                     : "=r"(b[j][0]), "=r"(b[j][1])
                     : "r"(shared_address(&Bs[stage][wn + j * 8 + lane % 8][kk + lane / 8 % 2 * 8])));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                       "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                       : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]),
                         "+f"(acc[i][j][3])
                       : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]),
                         "r"(b[j][1]));
    }
#ifndef NO_BARRIER
    asm volatile("bar.sync 0;" ::: "memory");
#endif
#ifdef UNKNOWN
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
#endif
    stage ^= 1;
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        int row = blockIdx.y * BM + wm + i * 16 + lane / 4 + e / 2 * 8;
        int column = blockIdx.x * BN + wn + j * 8 + lane % 4 * 2 + e % 2;
        C[row * N + column] = acc[i][j][e];
      }
}
#endif
