// The function is a template: arguments under the same name, under others, of another type, deduced, and a default.
template <int BM, int BK, int STRIDE, typename T, int SKEW = 0>
__device__ void loadTile(const T *A, const T *B, int K, int N, T *As, T (&Bs)[BK][BM], int t) {
  // two tiles
#pragma unroll
  for (int i = 0; i < BM * BK; i += STRIDE) {
    const int at = i + threadIdx.x;
    As[at + SKEW] = A[(at / BK) * K + t * BK + at % BK]; // A
  }

#pragma unroll
  for (int i = 0; i < BM * BK; i += STRIDE)
    Bs[(i + threadIdx.x) / BM][(i + threadIdx.x) % BM] = B[(t * BK + (i + threadIdx.x) / BM) * N + (i + threadIdx.x) % BM];
}
template <int BM, int BK> __global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int K, int N) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK][BM];
  constexpr unsigned STRIDE = 64;
  float sum = 0;
  const float *start = A;
  for (int t = 0; t < K / BK; ++t) {
    loadTile<BM, BK, STRIDE>(start, B, K, N, As, Bs, t);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      sum = sum * 0.75f + As[threadIdx.x % BM * BK + k] * Bs[k][threadIdx.x % BM];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
// LDG: { // loadTile
// LDG-NEXT: constexpr int STRIDE_in = STRIDE;
// LDG-NEXT: const float *A = start;
// LDG: for (int i = 0; i < BM * BK; i += STRIDE_in) {
void launches(float *a, float *b, float *c, int n) {
  k<16, 16><<<1, 64>>>(a, b, c, n, n);
  k<32, 8><<<1, 64>>>(a, b, c, n, n);
}
/* launch
kernel: k<16, 16>
cases: [{K: 0}, {K: 16}, {K: 32}, {K: 80}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * K + 1, role: input}
  - {buffer: float, count: 64 * K + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: K}
  - {value: 16}
---
kernel: k<32, 8>
cases: [{K: 0}, {K: 8}, {K: 40}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * K + 1, role: input}
  - {buffer: float, count: 64 * K + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: K}
  - {value: 32}
*/
