// The function changes its arguments, which the caller uses again.
__device__ float walk(const float *in, int n, float *s) {
  float sum = 1.f;
  while (n > 0) {
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % 64];
    __syncthreads();
    in += 64;
    --n;
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  const float x = walk(in, n, s);
  const float y = walk(in, n, s);
  out[threadIdx.x] = x - 2 * y + n;
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
