// The compute phase sets the flags that the next load phase asks.
__global__ void k(const float *in, int *flags, float *out, int n) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int c = 0; c < n; ++c) {
    if (flags[c * 64 + tx] > 3)
      s[tx] = in[c * 64 + tx];
    else
      s[tx] = 7.f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    flags[c * 64 + 64 + tx] = sum > 0;
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 64, role: input}
  - {name: flags, buffer: int, count: n * 64 + 64, role: inout}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
