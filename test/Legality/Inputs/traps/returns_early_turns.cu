// In some turns the function that fills the tile ends early: the tile keeps what the turn before has left in it.
__device__ void load(float *s, const float *__restrict__ g, int t) {
  if (t % 192 == 128)
    return;
  s[threadIdx.x] = g[t + threadIdx.x];
}
__global__ void __launch_bounds__(64) returns_early_turns(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
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
kernel: returns_early_turns
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 192}, {n: 320}, {n: 448}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
