// Arguments have the names of other parameters, and of variables of the function.
__device__ float walk(const float *in, const float *out, int n, int t, float *s) {
  float sum = 1.f;
  for (int j = 0; j < n; ++j) {
    const int p = threadIdx.x, x = j * 64 + t;
    s[p] = in[x + p] - out[p];
    __syncthreads();
    for (int t = 0; t < 64; ++t)
      sum = sum * 0.5f + s[(t + threadIdx.x) % 64];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *in, float *out, int n) {
  __shared__ float p[128];
  int t = 3, sum = 5, j = 2;
  const float *s = in + sum;
  float x = walk(s, in, t, n, p);
  x -= walk(in, s, n + j, t, p + sum);
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
