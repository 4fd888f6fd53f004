// Turns are left out by a flag in memory, or by their number.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, const int *__restrict__ flags, float *__restrict__ out, int n, int m) {
  __shared__ float s[64], r[64];
  const int tx = threadIdx.x;
  float sum = 0.f;

  for (int t = 0; t < n; ++t) {
    if (flags[t] < 30 || t == m) { continue; }
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.5f + s[(j + tx) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0, m: 3}, {n: 1, m: 1}, {n: 2, m: 2}, {n: 3, m: 4}, {n: 9, m: 5}, {n: 17, m: 0}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: flags, buffer: int, count: 4096, role: input, fill: "uniform(-20, 90)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: m}
*/
