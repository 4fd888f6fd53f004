// With -DFOO the number is made of an unsigned one, and compared as such.
#ifdef FOO
#define FIRST 2u
#else
#define FIRST 2
#endif
__global__ void __launch_bounds__(64) exit_number_unsigned(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const int k = t - FIRST;
    if (k > m)
      break;
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: exit_number_unsigned
cases: [{n: 1, m: 3}, {n: 2, m: 7}, {n: 6, m: 2}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: m}
*/
