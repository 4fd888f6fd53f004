// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t --loops=cp-async=1 -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// The macros of hand-written GEMMs stay calls, parentheses around their bodies or not.
// LDG-LABEL: wide(
// LDG: __shared__ __align__(16) float As_stages[2][BK * BM], Bs_stages[2][128];
// LDG: float4 As_reg;
// LDG: As_reg = FETCH_FLOAT4(A[OFFSET(row, k0 + col, K)]);
// LDG: FLOAT4(As[OFFSET(row, col, BK)]) = As_reg;
// LDG-LABEL: transposed(
// LDG: float4 part_next_reg[(BM + 16 - 1) / 16];
// LDG: part_next_reg[i / 16] = FETCH_FLOAT4(A[OFFSET(row + i, k0 + col, K)]);
// LDG: FLOAT4(part_next[i / 16 * 4]) = part_next_reg[i / 16];
// LDG-NEXT: As[OFFSET(col, row + i, BM)] = part_next[i / 16 * 4];

// ASYNC-LABEL: wide(
// ASYNC: __pipeline_memcpy_async(&FLOAT4(As[OFFSET(row, col, BK)]),
// ASYNC-NEXT: &FETCH_FLOAT4(A[OFFSET(row, k0 + col, K)]), sizeof(float4));
// ASYNC: __pipeline_memcpy_async(&BARE(Bs[4 * threadIdx.x]),
// ASYNC-NEXT: &BARE(A[4 * threadIdx.x + k0]), sizeof(float4));

//--- kernel.cu
#define BK 8
#define BM 16
#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])
#define FETCH_FLOAT4(pointer) (reinterpret_cast<const float4 *>(&(pointer))[0])
#define BARE(value) *(float4 *)&(value)
__global__ void __launch_bounds__(32) wide(float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK * BM], Bs[128];
  int row = threadIdx.x / 2, col = threadIdx.x % 2 * 4;
  float s = 0.f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    FLOAT4(As[OFFSET(row, col, BK)]) = FETCH_FLOAT4(A[OFFSET(row, k0 + col, K)]);
    BARE(Bs[4 * threadIdx.x]) = BARE(A[4 * threadIdx.x + k0]);
    __syncthreads();
    for (int k = 0; k < BK * BM; ++k) s = s * 0.5f + As[k] - Bs[127 - k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}

// Through a register array that a macro fills.
__global__ void __launch_bounds__(32) transposed(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK * BM];
  int row = threadIdx.x / 2, col = threadIdx.x % 2 * 4;
  float part_next[4];
  float s = 0.f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = 0; i < BM; i += 16) {
      FLOAT4(part_next[i / 16 * 4]) = FETCH_FLOAT4(A[OFFSET(row + i, k0 + col, K)]);
      As[OFFSET(col, row + i, BM)] = part_next[i / 16 * 4];
      As[OFFSET(col + 1, row + i, BM)] = part_next[i / 16 * 4 + 1];
      As[OFFSET(col + 2, row + i, BM)] = part_next[i / 16 * 4 + 2];
      As[OFFSET(col + 3, row + i, BM)] = part_next[i / 16 * 4 + 3];
    }
    __syncthreads();
    for (int k = 0; k < BK * BM; ++k) s = s * 0.5f + As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    int K = n * 8;
    float *A = (float *)data<float4, float>(16 * K / 4 + 32), *C = data<float>(32);
    launch(1, 32, [=] { wide(A, C, K); });
    show("wide", C, 32);
    launch(1, 32, [=] { transposed(A, C, K); });
    show("transposed", C, 32);
  }
}
