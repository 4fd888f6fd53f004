__device__ float length(float2 v) { return v.x * v.x + v.y * v.y; }
__global__ void k(const float *__restrict__ x, const float *__restrict__ at, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0.0f, a = at[threadIdx.x];
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = 0.5f;
    if (length(make_float2(a, 0.1f * t)) < 0.8f)
      s[threadIdx.x] = -x[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// SINGLE: guard_reg = length(make_float2(a, 0.1f * t)) < 0.8f;
// SINGLE: const bool guard = guard_reg;
// SINGLE-NEXT: if (guard)
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: n * 64 + 1, role: input}
  - {name: at, buffer: float, count: 64, role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
