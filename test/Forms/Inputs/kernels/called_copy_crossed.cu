// The parameters are called what other arguments are called.
__device__ void both(float *a, float *b, const float *A, const float *B, int i) {
  a[i] = A[i];
  b[i] = B[i];
}
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64], b[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    both(b, a, B + t * 64, A + t * 64, threadIdx.x);
    __syncthreads();
    sum = sum * 0.5f + a[63 - threadIdx.x] + 2.f * b[threadIdx.x ^ 1];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
// LDG: { // both
// LDG-NEXT: const float *A_in = B + t * 64;
// LDG-NEXT: const float *B_in = A + t * 64;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
