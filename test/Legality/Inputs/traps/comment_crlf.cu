__global__ void k(const float *__restrict__ g, float *__restrict__ o, int n, int last) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[tx] = g[t * 64 + tx]; // from C:\data\

    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.5f + s[(i + tx) & 63];
    __syncthreads();
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
