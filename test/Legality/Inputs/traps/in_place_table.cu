__global__ void k(float *a, const int *__restrict__ where, int n) {
  __shared__ float s[64];
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = a[where[t] * 64 + threadIdx.x];
    __syncthreads();
    a[where[t] * 64 + threadIdx.x] = s[63 - threadIdx.x] + 1;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: 4 * 64, role: inout}
  - {name: where, buffer: int, count: n + 1, role: input, fill: uniform(0, 3)}
  - {name: n, scalar: int, value: n}
*/
