// With -DFOO the tile is read behind the loop, by a macro that is an operand: only the first word of a statement is looked at.
#ifdef FOO
#define EXTRA tile[63 - threadIdx.x]
#else
#define EXTRA 0
#endif
__global__ void __launch_bounds__(64) last_operand_in_other_build(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  sum += EXTRA;
  out[threadIdx.x] = sum;
}
/* launch
kernel: last_operand_in_other_build
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
