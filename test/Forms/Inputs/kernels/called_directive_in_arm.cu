// The branches of the preprocessor are in an arm of `if constexpr`, which the arguments of the call choose.
template <int M>
__device__ void load(float *s, const float *__restrict__ g, int t, int n) {
  const int i = t + threadIdx.x;
  if constexpr (M == 1) {
#ifdef TWICE
    s[threadIdx.x] = 2 * g[i];
#else
    s[threadIdx.x] = g[i];
#endif
  } else {
#ifdef TWICE
    s[threadIdx.x] = 3 * g[i];
#endif
    s[threadIdx.x] = 4 * g[i];
  }
}
__global__ void __launch_bounds__(64) called_directive_in_arm(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load<1>(s, a, t, n);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: called_directive_in_arm
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 129}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
