// What is stored by one pointer is read by the other.
__device__ void walk(const float *in, const float *more, int n, float *s, float *r, float &sum) {
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    r[threadIdx.x] = more[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % 64] * r[j - 64];
    __syncthreads();
  }
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float p[128];
  float x = 0.f;
  walk(in, in + 64, n, p, p + 64, x);
  walk(in + 5, in + 64, n / 2, p, p + 64, x);
  out[threadIdx.x] = x;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
