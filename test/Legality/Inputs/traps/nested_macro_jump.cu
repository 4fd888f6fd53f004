// The 'continue' in a block is a macro that does more with -DFOO; it is gone.
#ifdef FOO
#define NEXT { sum += 1; continue; }
#else
#define NEXT continue
#endif
__global__ void __launch_bounds__(64) nested_macro_jump(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (m > 1) {
      if (t == 1)
        NEXT;
    }
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: nested_macro_jump
cases: [{n: 1, m: 3}, {n: 2, m: 7}, {n: 6, m: 2}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: m}
*/
