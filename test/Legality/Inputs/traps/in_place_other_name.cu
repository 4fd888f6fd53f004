__global__ void k(float *a, int n) {
  __shared__ float s[64];
  float *const b = a + 64;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = a[t * 64 + threadIdx.x];
    __syncthreads();
    b[t * 64 + threadIdx.x] = s[63 - threadIdx.x] + 1;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: (n + 2) * 64, role: inout}
  - {name: n, scalar: int, value: n}
*/
