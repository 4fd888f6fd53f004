struct M { float *p; int n; };
__device__ float g1[64 * 16], g2[64 * 16]; struct I { float *p; __device__ I(float *a) : p(a) {} __device__ I(const I &o) : p(g1) {} }; struct O : I { int z; __device__ O(float *a) : I(a), z(0) {} };
__global__ void k(float *in, float *__restrict__ scr, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < 16; ++t) g1[t*64+tx] = in[tx] * t; __syncthreads(); O q(g2); O m = q;
  for (int t = 0; t < n; ++t) {
    s[tx] = g1[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[(tx + j) & 63] * (j + 1);
    acc *= 0.001f;
    m.p[(t + 1) * 64 + tx] = acc;
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
