// The function that fills the tile ends early for some of the threads: the rest of it is a branch in the text that takes
// the place of the call. It fills the elements behind the end before it returns.
__device__ void load(float *s, const float *__restrict__ g, int at, int n) {
  const int i = at + threadIdx.x;
  if (i >= n) {
    s[threadIdx.x] = 0;
    return; // behind the end
  }
  s[threadIdx.x] = g[i];
}
__global__ void __launch_bounds__(64) called_returns_early(const float *__restrict__ a, float *__restrict__ out, int n) {
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
kernel: called_returns_early
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 129}, {n: 320}, {n: 500}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
