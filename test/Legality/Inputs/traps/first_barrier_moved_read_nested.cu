__global__ void k(const float *__restrict__ in, float *w, float *out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x, b = blockIdx.x * 64;
  float acc = 0;
  for (int o = 0; o < 2; ++o) {
    for (int t = 0; t < n; ++t) {
      __syncthreads();
      float f = w[b + (tx ^ 63)];
      s[tx] = in[(blockIdx.x * n + t) * 64 + tx];
      __syncthreads();
      acc += s[63 - tx] * f;
    }
    w[b + tx] = acc;
  }
  out[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: inout}
  - {name: w, buffer: float, count: 128, role: inout}
  - {name: acc, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
