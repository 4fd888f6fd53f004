__global__ void k(const float *__restrict__ g, float *__restrict__ o, int n, int last) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  const float *p = g;
  for (int t = 0; t < n; ++t) {
    s[tx] = p[tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.5f + s[(i + tx) & 63];
    __syncthreads();
    p += 64; // the next one\

  }
  o[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 2
block: 64
arguments:
  - {name: g, buffer: float, count: n * 64 + 64, role: input}
  - {name: o, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
  - {name: last, scalar: int, value: n * 64 - 5}
*/
