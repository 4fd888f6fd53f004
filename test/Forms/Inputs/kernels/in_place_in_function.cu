__device__ void put(float *p, int i, float v) { p[i] = v; }
__global__ void k(float *a, int n, int passes) {
  __shared__ float s[64];
  for (int pass = 0; pass < passes; ++pass) {
    const int base = pass * 64;
    for (int t = 0; t < n; ++t) {
      s[threadIdx.x] = a[base + t * 64 + threadIdx.x];
      __syncthreads();
      put(a, base + t * 64 + threadIdx.x, s[63 - threadIdx.x] + 0.5f);
      __syncthreads();
    }
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: (n + 2) * 64 + 1, role: inout}
  - {name: n, scalar: int, value: n}
  - {name: passes, scalar: int, value: 2}
*/
