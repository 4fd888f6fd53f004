// Macros in what is asked: sums, alternatives, and one that is a comparison and a half.
#define END n - 7
#define LAST 3 || t == 64
#define BEHIND(i) i >= n
__device__ void load(float *s, const float *__restrict__ g, int t, int n) {
  const int i = t + threadIdx.x;
  s[threadIdx.x] = 0.25f;
  if (i >= END)
    return;
  if (threadIdx.x == LAST)
    return;
  if (BEHIND(2 * i) && i != 5)
    return;
  s[threadIdx.x] = g[i];
}
__global__ void __launch_bounds__(64) returns_early_macros(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a, t, n);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: returns_early_macros
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 127}, {n: 192}, {n: 330}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
