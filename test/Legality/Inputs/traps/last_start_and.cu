// The start value is said without parentheses: `t != first & 3`.
__global__ void __launch_bounds__(64) last_start_and(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = first & 3; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: last_start_and
cases: [{n: 4, first: 5}, {n: 6, first: 2}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: first, scalar: int, value: first}
*/
