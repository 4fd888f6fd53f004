// Of floats neither '<' nor '>=' may hold.
__device__ void load(float *s, const float *__restrict__ g, int t, float limit) {
  s[threadIdx.x] = 0.25f;
  if (threadIdx.x >= limit)
    return;
  if (!(threadIdx.x < limit + 20))
    return;
  s[threadIdx.x] = g[t + threadIdx.x];
}
__global__ void __launch_bounds__(64) returns_early_floats(const float *__restrict__ a, float *__restrict__ out, int n, float limit) {
  __shared__ float s[64];
  float sum = 0;
  const float no = limit < 0 ? (limit - limit) / (limit - limit) : limit;
  for (int t = 0; t < n; t += 64) {
    load(s, a, t, no);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: returns_early_floats
cases: [{n: 0, limit: 3}, {n: 64, limit: -1}, {n: 192, limit: -1}, {n: 192, limit: 17}, {n: 320, limit: 100}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
  - {value: limit, scalar: float}
*/
