// One dynamic array for two tiles, cut by pointers; two instantiations with tiles of different sizes, each launched for
// its block.
template <int BM, int BK>
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int K) {
  extern __shared__ float smem[];
  float *As = smem;
  float *Bs = smem + BM * BK;
  float sum = 0.f;
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[threadIdx.y * BK + threadIdx.x] = A[threadIdx.y * K + k0 + threadIdx.x];
    Bs[threadIdx.x * BM + threadIdx.y] = B[(k0 + threadIdx.x) * BM + threadIdx.y];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      sum = sum * 0.75f + As[threadIdx.y * BK + k] * Bs[k * BM + threadIdx.y]; // of row and column
    __syncthreads();
  }
  C[threadIdx.y * BK + threadIdx.x] = sum;
}
// LDG: const unsigned smem_bytes = BM == 8 && BK == 4 ? 256 : 1024;
// LDG: if ((BM == 8 && BK == 4 ? blockDim.x == 4 && blockDim.y == 8 && blockDim.z == 1 :
// LDG-SAME: blockDim.x == 8 && blockDim.y == 16 && blockDim.z == 1) &&
// LDG-NEXT: given_bytes >= 2 * smem_bytes) {
// LDG: auto &smem = reinterpret_cast<smem_type &>(smem_stages[stage * smem_bytes]);
// LDG-NEXT: float *As = smem;
// LDG-NEXT: float *Bs = smem + BM * BK;
// LDG: } else {
// LDG-NEXT: #pragma unroll 1
// LDG-NEXT: for (int k0 = 0; k0 < K; k0 += BK) {
// LDG-NEXT:   As[threadIdx.y * BK + threadIdx.x] = A[threadIdx.y * K + k0 + threadIdx.x];
void launches(float *a, float *b, float *c, int n) {
  k<16, 8><<<1, dim3(8, 16), 2 * 16 * 8 * 4>>>(a, b, c, n);
  k<8, 4><<<1, dim3(4, 8), 2 * 8 * 4 * 4>>>(a, b, c, n);
}
/* launch
kernel: k<16, 8>
cases: [{K: 0}, {K: 8}, {K: 16}, {K: 56}]
grid: 1
block: [8, 16]
shared: 1024
arguments:
  - {buffer: float, count: 16 * K + 1, role: input}
  - {buffer: float, count: 16 * K + 1, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: K}
---
kernel: k<8, 4>
cases: [{K: 0}, {K: 4}, {K: 20}]
grid: 1
block: [4, 8]
shared: 256
arguments:
  - {buffer: float, count: 8 * K + 1, role: input}
  - {buffer: float, count: 8 * K + 1, role: input}
  - {buffer: float, count: 32, role: output}
  - {value: K}
*/
