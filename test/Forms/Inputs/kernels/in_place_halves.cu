__global__ void k(float *a, int n) {
  __shared__ float s[64], r[64];
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = a[t * 128 + threadIdx.x];
    r[threadIdx.x] = a[t * 128 + 64 + threadIdx.x];
    __syncthreads();
    a[t * 128 + threadIdx.x] = r[63 - threadIdx.x];
    a[t * 128 + 127 - threadIdx.x] = s[threadIdx.x] + r[threadIdx.x];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: n * 128 + 1, role: inout}
  - {name: n, scalar: int, value: n}
*/
