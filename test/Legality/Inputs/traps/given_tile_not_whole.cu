// In one of the calls the load phase leaves out what is read.
__device__ float walk(const float *in, int n, float *s, int m) {
  float sum = 1.f;
  for (int t = 0; t < n; ++t) {
    if (t * 64 + threadIdx.x < m)
      s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float x = walk(in, n, s, n * 64);
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  x -= walk(in + 3, n, s, n * 64 - 40);
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
