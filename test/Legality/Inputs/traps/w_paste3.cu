// With -DFOO the barrier does more than to wait.
#define CAT(a, b) a##b
#define CALL(a, b) CAT(a, b)
#ifdef FOO
#define WAIT_ALL() (__syncthreads(), ++count)
#else
#define WAIT_ALL() __syncthreads()
#endif
__global__ void __launch_bounds__(64) w_paste3(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int count = 0;
  for (int t = 0; t < n; ++t) {
    if (t > 0)
      CALL(WAIT_, ALL)();
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
  }
  out[threadIdx.x] = sum + count;
}
/* launch
kernel: w_paste3
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
