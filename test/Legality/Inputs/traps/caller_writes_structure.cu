struct V { const float *p; };
__device__ float f(V v, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    s[tx] = v.p[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[(tx + j) & 63] * (j + 1);
    __syncthreads();
  }
  return acc;
}
__global__ void k(float *in, float *__restrict__ scr, float *__restrict__ out, int n) {
  int tx = threadIdx.x;
  for (int t = 1; t < n; ++t) in[t * 64 + (tx ^ 32)] *= 2; out[tx] = f(V{in}, n);
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "(n+2)*64", role: inout}
  - {name: scr, buffer: float, count: "(n+2)*64", role: inout}
  - {name: out, buffer: float, count: 64, role: inout}
  - {name: n, value: n}
*/
