// Each turn of the outer loop reads what the call in the turn before has left.
__device__ float walk(const float *in, int n, float *s) {
  float sum = 1.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % 64];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float x = 0.f;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    x += s[63 - threadIdx.x];
    __syncthreads();
    const float y = walk(in + i * 64, n, s);
    x -= y;
  }
  const float z = walk(in, n + 1, s);
  out[threadIdx.x] = x - z;
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
