// With -DFOO the macro in the function names the global 'scale'; written out in the kernel, it is the kernel's own.
#ifdef FOO
#define FACTOR scale
#else
#define FACTOR 1
#endif
__device__ constexpr float scale = 2;
__device__ void bring(float *to, const float *from, int lane) {
  to[lane] = from[lane] * FACTOR;
  __syncthreads();
  to[lane] = to[lane] + 1;
}
__global__ void __launch_bounds__(64) inline_macro_names_hidden(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const float scale = 3;
  float sum = scale;
  for (int t = 0; t < n; ++t) {
    bring(tile, in + t * 64, threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: inline_macro_names_hidden
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
