// Two kernels give their tiles to the function with the loop, one of them turn by turn.
template <int N> __device__ void loop(int n, const float *in, float *s, float &sum) {
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * N + threadIdx.x];
    __syncthreads();
    // All of the tile.
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + s[(j + threadIdx.x) % N];
    __syncthreads();
  }
}
__global__ void __launch_bounds__(64) one(int n, const float *in, float *out) {
  __shared__ float s[64];
  float sum = 0;
  loop<64>(n, in, s, sum);
  out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) many(int n, int m, const float *in, float *out) {
  __shared__ float tile[64];
  float sum = 0;
  for (int i = 0; i < m; ++i)
    loop<64>(n, in + i * 64, tile, sum);
  out[threadIdx.x] = sum;
}
// LDG: store_tile(stage ^ 1);
// LDG: __global__ void __launch_bounds__(64) many
// LDG: store_tile(stage ^ 1);
/* launch
kernel: many
cases: [{n: 0, m: 2}, {n: 1, m: 3}, {n: 2, m: 0}, {n: 3, m: 2}, {n: 4, m: 1}]
grid: 1
block: 64
arguments:
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: m}
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
*/
