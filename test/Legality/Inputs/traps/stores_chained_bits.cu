// On its way through a bit-field the constant becomes another one.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, const int *__restrict__ flags, float *__restrict__ out, int n) {
  struct B { unsigned a : 8; unsigned b : 3; };
  __shared__ float tile[64];
  __shared__ B s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx] = in[t * 64 + tx];
    s[tx].a = s[tx].b = 9;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.5f + tile[(j + tx) % 64] * s[j].a;
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}, {n: 9}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: flags, buffer: int, count: 4096, role: input, fill: "uniform(-20, 90)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
