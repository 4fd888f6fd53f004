// With -DFOO a function behind the loop reads the tile.
__device__ inline void see(float &s, const float *t) {
#ifdef FOO
  s += t[63 - threadIdx.x];
#endif
}
__global__ void __launch_bounds__(64) l_callee(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = 3;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
  }
  see(sum, tile);
  out[threadIdx.x] = sum;
}
/* launch
kernel: l_callee
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
