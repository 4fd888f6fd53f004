// With -DFOO there is a barrier behind the call.
__device__ void part(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[64];
  float sum = 0;
  if (threadIdx.x >= m * 16)
    return;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) ends_in_other_build(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  part(in, out, n, m);
#ifdef FOO
  __syncthreads();
  out[64 + threadIdx.x] = out[0];
#endif
}
/* launch
kernel: ends_in_other_build
cases: [{n: 3, m: 4}, {n: 3, m: 2}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: m}
*/
