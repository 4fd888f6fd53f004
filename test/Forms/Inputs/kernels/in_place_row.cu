__global__ void k(float *a, int n, int ld) {
  __shared__ float s[64];
  float *row = a + blockIdx.x * ld;
  for (unsigned c = 0; c < n; c += 64) {
    s[threadIdx.x] = row[c + threadIdx.x];
    __syncthreads();
    row[c + threadIdx.x] = s[63 - threadIdx.x] - s[threadIdx.x];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: a, buffer: float, count: 2 * (n * 64 + 5) + 1, role: inout}
  - {name: n, scalar: int, value: n * 64}
  - {name: ld, scalar: int, value: n * 64 + 5}
*/
