// With -DFOO the first value is asked of a variable that the body changes, again in each turn.
#ifdef FOO
#define FIRST first
#else
#define FIRST 0
#endif
__global__ void __launch_bounds__(64) last_start_in_other_build(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int first = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = FIRST; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum += tile[i] * (i + threadIdx.x);
    first = 2;
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: last_start_in_other_build
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
