// The compute phase sets how far the next load phase goes.
__global__ void k(const float *in, int *end, float *out, int n) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int c = 0; c < n; ++c) {
    s[tx] = tx < *end ? in[c * 64 + tx] : 0.f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    if (tx == 0)
      *end = 64 - *end / 2;
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
  - {name: end, buffer: int, count: 1, role: inout}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
