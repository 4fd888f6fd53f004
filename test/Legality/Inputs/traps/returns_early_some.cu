// Some threads load nothing from the second turn on: their elements are those of the turn before.
__device__ void load(float *s, const float *__restrict__ g, int t) {
  if (t > 0 && threadIdx.x % 3 == 0)
    return;
  if (threadIdx.x % 5 == 1)
    return;
  s[threadIdx.x] = g[t + threadIdx.x];
}
__global__ void __launch_bounds__(64) returns_early_some(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a, t);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: returns_early_some
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 192}, {n: 320}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
