// Each way through the function that fills the tile ends with 'return', or at its end.
__device__ void load(float *s, const float *__restrict__ g, int n, int mode) {
  const int i = threadIdx.x;
  if (mode == 0) {
    if (i >= n) {
      s[i] = 0;
      return;
    }
    s[i] = g[i];
    return;
  } else if (mode == 1) {
    s[i] = i < n ? g[i] : 1.f;
    return;
  }
  s[i] = 2;
  if (!(i < n && mode != 3))
    return;
  s[i] = g[i];
}
__global__ void __launch_bounds__(64) called_returns_in_branches(const float *__restrict__ a, float *__restrict__ out, int n, int mode) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a + t, n - t, mode);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: called_returns_in_branches
cases: [{n: 0, mode: 0}, {n: 1, mode: 0}, {n: 64, mode: 1}, {n: 65, mode: 0}, {n: 129, mode: 1}, {n: 320, mode: 2}, {n: 500, mode: 0}, {n: 500, mode: 1}, {n: 500, mode: 2}, {n: 500, mode: 3}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
  - {value: mode}
*/
