// With -DFOO the condition is another thing.
#define CAT(a, b) a##b
#ifdef FOO
#define MAYBE if (t != 2)
#else
#define MAYBE
#endif
__global__ void __launch_bounds__(64) k_if_paste(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    CAT(MAY, BE)
    if (t != 1) {
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
      __syncthreads();
    }
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k_if_paste
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
