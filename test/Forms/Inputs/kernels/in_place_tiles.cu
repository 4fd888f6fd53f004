__global__ void k(float *a, int n) {
  __shared__ float s[256];
  const int tid = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    s[tid] = a[t * 256 + tid];
    __syncthreads();
    a[t * 256 + tid] = s[255 - tid] * 0.5f + s[tid];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 256
arguments:
  - {name: a, buffer: float, count: n * 256 + 1, role: inout}
  - {name: n, scalar: int, value: n}
*/
