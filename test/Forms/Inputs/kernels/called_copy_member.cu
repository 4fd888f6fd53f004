// What is called is a method, with members of its own in its text; and a closure.
struct Loader {
  const float *A;
  int pitch;
  __device__ void fill(float *to, int t) const { to[threadIdx.x] = A[t * pitch + threadIdx.x]; }
};
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64], b[64];
  float sum = 0.f;
  Loader loader = {A, 64};
  auto load = [&](int t) { b[threadIdx.x] = B[t * 64 + threadIdx.x]; };
  for (int t = 0; t < n; ++t) {
    loader.fill(a, t);
    load(t);
    __syncthreads();
    sum = sum * 0.5f + a[63 - threadIdx.x] * b[threadIdx.x ^ 1];
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
