// The end of the copy loop is read in each of its turns.
__global__ void __launch_bounds__(64) k(const float *in, const unsigned char *ends, float *out, int n) {
  __shared__ float s[256];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < ends[t]; i += 64)
      s[i] = in[t * 256 + i];
    __syncthreads();
    for (int j = 0; j < ends[t]; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 256 + 256, role: input}
  - {name: ends, buffer: uchar, count: n + 1, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
