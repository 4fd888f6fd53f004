// What is copied is a question of flags in memory, in an if, in its else, and in a copy loop without braces.
__global__ void __launch_bounds__(64) k(const float *in, const int *flags, float *out, int n, int most) {
  __shared__ float s[64], t[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int c = 0; c < n; ++c) {
    if (tx < most && flags[c * 64 + tx] > 3)
      s[tx] = in[c * 64 + tx];
    else if (flags[c] < 0)
      s[tx] = in[c] + 1;
    else
      s[tx] = 7.f;
    for (int i = tx; i < 128; i += 64)
      if (i < flags[c * 3])
        t[i] = in[c * 64 + i];
      else
        t[i] = -1.f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + t[j + tx] * s[j];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0, m: 64}, {n: 1, m: 40}, {n: 2, m: 0}, {n: 3, m: 40}, {n: 6, m: 64}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 128, role: input}
  - {name: flags, buffer: int, count: n * 64 + 64, role: input, fill: "uniform(-20, 150)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: most, scalar: int, value: m}
*/
