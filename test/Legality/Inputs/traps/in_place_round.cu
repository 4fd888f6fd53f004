__global__ void k(float *a, int n) {
  __shared__ float s[64];
  for (unsigned i = 0x80000000u; i != 0x80000000u + 0x40000000u * n; i += 0x40000000u) {
    s[threadIdx.x] = a[(i >> 30) * 64 + threadIdx.x];
    __syncthreads();
    a[((i + 0x40000000u) >> 30) * 64 + threadIdx.x] = s[63 - threadIdx.x] + 1;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: (n + 8) * 64, role: inout}
  - {name: n, scalar: int, value: n}
*/
