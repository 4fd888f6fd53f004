__global__ void k(float *a, int n, int ld) {
  __shared__ float s[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    s[y][x] = a[y * ld + t * 8 + x];
    __syncthreads();
    a[y * ld + t * 8 + x] = s[7 - y][x] + 1;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: [8, 8]
arguments:
  - {name: a, buffer: float, count: (n + 20) * 8, role: inout}
  - {name: n, scalar: int, value: n}
  - {name: ld, scalar: int, value: 8}
*/
