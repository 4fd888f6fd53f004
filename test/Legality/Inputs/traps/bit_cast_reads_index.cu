struct M { float *p; int n; };
__global__ void k(float *in, float *__restrict__ scr, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    s[tx] = in[t * 64 + (__builtin_bit_cast(unsigned, scr[t * 64 + tx]) & 63)];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[(tx + j) & 63] * (j + 1);
    acc *= 0.001f;
    scr[(t + 1) * 64 + tx] = acc;
    __syncthreads();
  }
  out[tx] = acc;
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
