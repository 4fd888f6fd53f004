// The return is in a loop: what it leaves out are the other turns, too.
__device__ void load(float *s, const float *__restrict__ g, int t, int n) {
  for (int i = threadIdx.x; i < 128; i += 64) {
    if (t + i >= n)
      return;
    s[i] = g[t + i];
  }
  if (threadIdx.x == 0)
    s[0] = 2;
}
__global__ void __launch_bounds__(64) returns_early_in_loop(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[128];
  s[threadIdx.x] = s[threadIdx.x + 64] = 0;
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; t += 128) {
    load(s, a, t, n);
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: returns_early_in_loop
cases: [{n: 0}, {n: 1}, {n: 128}, {n: 129}, {n: 320}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
