// Each call has an instance of its own, for a tile of its own size.
template <int N> __device__ void walk(const float *in, int n, float (&s)[N], float &sum) {
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += 64)
      s[i] = in[t * 64 + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % N];
    __syncthreads();
  }
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float small[64], large[128];
  float x = 0.f, y = 1.f;
  walk(in, n, small, x);
  walk(in + 3, n, large, y);
  out[threadIdx.x] = x - y;
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
