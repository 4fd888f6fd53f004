// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// One text for all instantiations, spelled with the parameters.
// LDG: __shared__ T As_stages[2][BM][BK];
// LDG-NEXT: __shared__ T Bs_stages[2][BK][BN];
// LDG: T As_reg[((BM * BK) + (BM * BN) - 1) / (BM * BN)];
// LDG-NOT: {{float|double}}
// LDG: for (int turn = 0; turn < ((BM * BK) + (BM * BN) - 1) / (BM * BN); ++turn) {
// LDG: if (i < BM * BK)
// LDG-NEXT: As_reg[turn] = A[i / BK * K + k0 + i % BK];
// LDG: C[(blockIdx.y * BM + ty) * N

//   Another instantiation, with a type that cp.async cannot copy, must not compile.
// ASYNC: static_assert((sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) >= sizeof(T)
// ASYNC: __pipeline_memcpy_async(&As[i / BK][i % BK], &A[i / BK * K + k0 + i % BK], sizeof(T));

//--- kernel.cu
// Type and sizes are parameters; two instantiations, one rewrite.
template <typename T, int BM, int BN, int BK>
__global__ void __launch_bounds__(BM *BN) gemm(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int N, int K)
{
  __shared__ T As[BM][BK];
  __shared__ T Bs[BK][BN];
  const int tid = threadIdx.x;
  const int ty = tid / BN, tx = tid % BN;
  T acc = T(0);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  for (int k0 = 0; k0 < K; k0 += BK)
  {
    for (int i = tid; i < BM * BK; i += BM * BN)
      As[i / BK][i % BK] = A[i / BK * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += BM * BN)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[(blockIdx.y * BM + ty) * N + blockIdx.x * BN + tx] = acc;
}
template __global__ void gemm<float, 8, 8, 16>(const float *, const float *, float *, int, int);
template __global__ void gemm<double, 4, 16, 8>(const double *, const double *, double *, int, int);
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    int K = n * 16;
    float *a = data<float>(16 * K), *b = data<float>(K * 16), *c = data<float>(256);
    launch(dim3(2, 2), 64, [=] { gemm<float, 8, 8, 16>(a, b, c, 16, K); });
    show("gf", c, 256);
    int K2 = n * 8;
    double *a2 = data<double>(8 * K2), *b2 = data<double>(K2 * 32), *c2 = data<double>(256);
    launch(dim3(2, 2), 64, [=] { gemm<double, 4, 16, 8>(a2, b2, c2, 32, K2); });
    show("gd", c2, 256);
  }
}
