// Each call writes another part of what it reads, and reads what the calls before have left.
__device__ float walk(const float *in, int n, float *s, int w) {
  float sum = 1.f;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < w)
      s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % 64];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float p[64];
  float x = walk(in, n, p, 64);
  if (n == 0)
    p[threadIdx.x] = 3.f;
  __syncthreads();
  x -= walk(in + 3, n, p, 32);
  if (threadIdx.x < 20)
    p[63 - threadIdx.x] = 7.f;
  __syncthreads();
  x += walk(in + 5, n, p, 16);
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
