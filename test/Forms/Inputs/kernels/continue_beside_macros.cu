// Each kernel has its own words for its tile, taken back behind it, and one of them only some machines have.
__global__ void __launch_bounds__(64) rows_of(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float rows[64];
#define AT(i) rows[(i) + pad]
  const int pad = 0;
  AT(threadIdx.x) = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = AT(63 - threadIdx.x) * n;
#undef AT
}
__global__ void __launch_bounds__(64) continue_beside_macros(const float *__restrict__ in, float *__restrict__ out, int n, int window) {
  __shared__ float rows[72];
#define AT(i) rows[(i) + pad]
  const int pad = 8;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (window > 0) {
      const int first = n - window;
      if (t < first)
        continue;
    }
    AT(threadIdx.x) = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + AT(i) * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
#undef AT
}
#if __CUDA_ARCH__ >= 800
__global__ void __launch_bounds__(64) later_rows(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float rows[64];
#define AT(i) rows[(i) + pad]
  const int pad = 0;
  AT(threadIdx.x) = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = AT(63 - threadIdx.x);
#undef AT
}
#endif
/* launch
kernel: continue_beside_macros
cases: [{n: 0, w: 1}, {n: 1, w: 1}, {n: 9, w: 4}, {n: 9, w: 0}, {n: 9, w: 9}, {n: 9, w: -3}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: window, scalar: int, value: w}
*/
