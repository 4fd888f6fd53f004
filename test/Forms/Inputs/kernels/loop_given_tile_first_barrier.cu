// The barrier behind the compute phase is the first one of the next call: the same tile, and what it held is used in between.
__device__ float walk(const float *in, int n, float *s) {
  float sum = 1.f;
  for (int t = 0; t < n; ++t) {
    __syncthreads();
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % 64];
  }
  return sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const float first = walk(in, n, tile);
  const float own = n > 0 ? tile[threadIdx.x] : 0.f;
  const float second = walk(in + 64, n, tile);
  out[threadIdx.x] = first - second + own;
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
