// The border of the tile is set again between the calls.
__device__ float walk(const float *in, int n, float *s) {
  float sum = 1.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x + 1] = in[t * 64 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + s[threadIdx.x] + s[threadIdx.x + 2];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float p[66];
  if (threadIdx.x == 0)
    p[0] = 1.f, p[65] = 2.f;
  __syncthreads();
  float x = walk(in, n, p);
  if (threadIdx.x == 0)
    p[0] = x;
  __syncthreads();
  x -= walk(in + 3, n, p);
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
