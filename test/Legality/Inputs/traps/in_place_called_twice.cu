__device__ void put(float *p, int i, float v) { p[i] = v; }
__device__ int which(const int *p, int i) { while (p[i] > 0) i = p[i]; return i; }
__global__ void k(float *a, const int *__restrict__ next, int n) {
  __shared__ float s[64];
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = a[t * 64 + threadIdx.x];
    __syncthreads();
    put(a, t * 64 + threadIdx.x, s[63 - threadIdx.x] + 1);
    for (const float x : s)
      if (x > 100)
        put(a, which(next, t) * 64 + 64 + threadIdx.x, x);
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: (n + 2) * 64, role: inout, fill: uniform(0, 200)}
  - {name: next, buffer: int, count: n + 1, role: input, fill: value(0)}
  - {name: n, scalar: int, value: n}
*/
