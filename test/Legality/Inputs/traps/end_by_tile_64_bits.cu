// The place goes round in 64 bits.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, const int *__restrict__ flags, float *__restrict__ out, int n, int lines) {
  __shared__ float tile[64 * 4];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int j = 0; j < lines; j += 1 << 28)
      tile[(size_t(j) << 20 << 16) + tx] = in[t * 64 + (j >> 28) * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.5f + tile[(j + tx) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}, {n: 9}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: flags, buffer: int, count: 4096, role: input, fill: "uniform(-20, 90)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: lines, scalar: int, value: 1000000000}
*/
