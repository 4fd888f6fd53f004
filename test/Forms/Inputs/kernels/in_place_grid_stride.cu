__global__ void k(float *a, int n) {
  __shared__ float s[64];
  for (int t = blockIdx.x; t < n; t += gridDim.x) {
    s[threadIdx.x] = a[t * 64 + threadIdx.x];
    __syncthreads();
    a[t * 64 + threadIdx.x] = s[63 - threadIdx.x] + s[threadIdx.x];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}, {n: 12}]
grid: 2
block: 64
arguments:
  - {name: a, buffer: float, count: n * 64 + 1, role: inout}
  - {name: n, scalar: int, value: n}
*/
