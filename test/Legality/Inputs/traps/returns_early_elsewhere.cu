// In another build the function ends elsewhere, or what is asked is another thing.
#ifdef LESS
#define STOP a < n || a
#else
#define STOP a
#endif
__device__ void load(float *s, const float *__restrict__ g, int a, int n) {
  s[threadIdx.x] = 0;
  if (STOP >= n)
    return;
  s[threadIdx.x] = g[a];
}
__global__ void __launch_bounds__(64) returns_early_elsewhere(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a, t + threadIdx.x, n);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: returns_early_elsewhere
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 320}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
