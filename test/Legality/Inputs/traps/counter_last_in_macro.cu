// The same by a macro that names it.
#ifdef FOO
#define MORE sum += i
#else
#define MORE 
#endif
__global__ void __launch_bounds__(64) counter_last_in_macro(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[264];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    int i;
    for (i = 0; i < 136; i += 64)
      tile[i + threadIdx.x] = in[t * 200 + i + threadIdx.x];
    if (i + threadIdx.x < 200)
      tile[i + threadIdx.x] = in[t * 200 + i + threadIdx.x];
    __syncthreads();
    for (i = 0; i < 4; ++i)
      sum += i;
    MORE;
    for (int k = 0; k < 200; k += 8)
      sum = sum * 0.5f + tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: counter_last_in_macro
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
