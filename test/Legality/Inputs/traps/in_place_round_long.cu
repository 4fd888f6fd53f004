__global__ void k(float *a, int n) {
  __shared__ float s[64];
  for (unsigned i = 0; i < n; ++i) {
    s[threadIdx.x] = a[(i * 0x40000000u >> 29) * 32 + threadIdx.x];
    __syncthreads();
    a[(i * 0x40000000u >> 29) * 32 + threadIdx.x] = s[63 - threadIdx.x] + 1;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: (n + 8) * 64, role: inout}
  - {name: n, scalar: int, value: n}
*/
