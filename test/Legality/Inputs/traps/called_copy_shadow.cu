// A name in the function's text means another variable where the call is.
__device__ const int half_tile = 32;
__device__ void both(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x % half_tile];
}
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64];
  float sum = 0.f;
  const int half_tile = 64;
  for (int t = 0; t < n; ++t) {
    both(a, A + t * 64);
    __syncthreads();
    sum = sum * 0.5f + a[63 - threadIdx.x] + half_tile;
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
