// The function changes its parameters, which the kernel has by the same names.
__device__ void fill(float *a, const float *A, int t) {
  A += t * 64;
  t = threadIdx.x;
  a[t] = A[t];
}
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    fill(a, A, t);
    __syncthreads();
    sum = sum * 0.5f + a[63 - threadIdx.x] + t;
    __syncthreads();
  }
  C[threadIdx.x] = sum + A[0] + B[0];
}
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
