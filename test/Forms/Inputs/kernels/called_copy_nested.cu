// A function of a function, which steps pointers that it was given.
__device__ void one(float *to, const float *from) { *to = *from; }
__device__ void some(float *to, const float *from, int count) {
  to += threadIdx.x;
  from += threadIdx.x;
  for (int i = 0; i < count; i += 32)
    one(to + i, from + i);
}
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64], b[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 32) {
      some(a, A + t * 64, 64);
      some(b, &B[t * 64], 64);
    }
    __syncthreads();
    sum = sum * 0.5f + a[63 - threadIdx.x] + 2.f * b[threadIdx.x ^ 1];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
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
