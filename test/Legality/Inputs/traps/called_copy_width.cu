// The parameter is narrower than what is given, under the same name.
__device__ void fill(float *a, const float *A, unsigned char at) { a[threadIdx.x] = A[at]; }
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    const int at = t * 64 + threadIdx.x;
    fill(a, A, at);
    __syncthreads();
    sum = sum * 0.5f + a[63 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = sum + B[0];
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
