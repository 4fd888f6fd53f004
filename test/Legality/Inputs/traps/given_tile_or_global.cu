// One of the calls gives global memory, of which the next tile may be a part.
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
__global__ void __launch_bounds__(64) k(float *in, float *out, int n) {
  __shared__ float p[64];
  float x = walk(in, n, p);
  x -= walk(in, n, in + 64);
  out[threadIdx.x] = x;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: inout}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
