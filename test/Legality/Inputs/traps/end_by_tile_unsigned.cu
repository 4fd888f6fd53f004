// An unsigned place comes round from below zero.
__global__ void k(const double *__restrict__ in, double *__restrict__ out, int n, unsigned rows) {
  __shared__ double s[32 * 33];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  for (int i = 0; i < n; ++i) {
    for (unsigned j = y; j < rows + 64; j += 8)
      s[(j - 64) % 32u * 33u + x] = in[i * 1024 + j * 32 + x];
    __syncthreads();
    for (int j = y; j < 32; j += 8)
      out[i * 1024 + j * 32 + x] = x < rows && j < rows ? s[x * 33 + j] : 0;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0, r: 3}, {n: 1, r: 32}, {n: 2, r: 17}, {n: 5, r: 31}]
grid: 1
block: 256
arguments:
  - {name: in, buffer: double, count: 16384, role: input}
  - {name: out, buffer: double, count: n * 1024 + 1024, role: output}
  - {name: n, scalar: int, value: n}
  - {name: rows, scalar: int, value: r}
*/
