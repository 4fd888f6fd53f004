#include <cuda_fp16.h>
#define LDMATRIX_X4(R0, R1, R2, R3, addr) asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3) : "r"(addr))
#define LDMATRIX_X2_T(R0, R1, addr) asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(R0), "=r"(R1) : "r"(addr))
#define MMA16816(RD0, RD1, RA0, RA1, RA2, RA3, RB0, RB1, RC0, RC1) asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n" : "=r"(RD0), "=r"(RD1) : "r"(RA0), "r"(RA1), "r"(RA2), "r"(RA3), "r"(RB0), "r"(RB1), "r"(RC0), "r"(RC1))
#define LDST64(v) (reinterpret_cast<float2 *>(&(v))[0])
#define LDST128(v) (reinterpret_cast<float4 *>(&(v))[0])
// one warp: C(16x8) = A(16xK) B(Kx8)
__global__ void k(const half *__restrict__ A, const half *__restrict__ B, half *__restrict__ C, int tiles) {
  __shared__ __align__(16) half sa[16][16 + 8];
  __shared__ half sb[16 * 8 + 4];
  const int tx = threadIdx.x, K = tiles * 16;
  unsigned RC[2] = {0, 0};
  const int lane = tx % 32;
  for (int t = 0; t < tiles; ++t) {
    LDST128(sa[tx / 2][(tx % 2) * 8]) = LDST128(const_cast<half &>(A[(tx / 2) * K + t * 16 + (tx % 2) * 8]));
    if (lane < 16)
      LDST128(sb[tx * 8]) = LDST128(const_cast<half &>(B[(t * 16 + tx) * 8]));
    __syncthreads();
    unsigned RA[4], RB[2];
    unsigned a = __cvta_generic_to_shared(&sa[lane % 16][(lane / 16) * 8]);
    LDMATRIX_X4(RA[0], RA[1], RA[2], RA[3], a);
    unsigned b = __cvta_generic_to_shared(&sb[(lane % 16) * 8]);
    LDMATRIX_X2_T(RB[0], RB[1], b);
    MMA16816(RC[0], RC[1], RA[0], RA[1], RA[2], RA[3], RB[0], RB[1], RC[0], RC[1]);
    __syncthreads();
  }
  *reinterpret_cast<unsigned *>(&C[(lane / 4) * 8 + (lane % 4) * 2]) = RC[0];
  *reinterpret_cast<unsigned *>(&C[(lane / 4 + 8) * 8 + (lane % 4) * 2]) = RC[1];
}
void run(const half *a, const half *b, half *c, int n) { k<<<1, 32>>>(a, b, c, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 32
arguments:
  - {name: A, buffer: half, count: tiles * 256, role: input}
  - {name: B, buffer: half, count: tiles * 128, role: input}
  - {name: C, buffer: half, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
