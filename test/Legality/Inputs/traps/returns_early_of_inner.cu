// A branch that returns is only a part of a branch: behind that the function goes on for the others.
__device__ void load(float *s, const float *__restrict__ g, int t, int n) {
  s[threadIdx.x] = 0.5f;
  if (threadIdx.x & 1) {
    if (t + threadIdx.x >= n)
      return;
    s[threadIdx.x] = 4;
  }
  s[threadIdx.x] += g[t + threadIdx.x];
}
__global__ void __launch_bounds__(64) returns_early_of_inner(const float *__restrict__ a, float *__restrict__ out, int n) {
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
kernel: returns_early_of_inner
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 320}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
