// With -DFOO another array is filled, which is read behind the loop.
#ifdef FOO
#define TILE other
#else
#define TILE tile
#endif
__global__ void __launch_bounds__(64) last_other_tile(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  __shared__ float other[64];
  other[threadIdx.x] = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    TILE[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  sum += other[63 - threadIdx.x];
  out[threadIdx.x] = sum;
}
/* launch
kernel: last_other_tile
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
