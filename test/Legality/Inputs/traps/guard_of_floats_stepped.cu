// A variable that is set in several steps is not taken from a register: both halves would round.
__global__ void k(const float *__restrict__ x, const float *__restrict__ at, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0.0f, a = at[threadIdx.x];
  for (int t = 0; t < n; ++t) {
    float d = 0.7f * a;
    d += 0.1f * t;
    s[threadIdx.x] = 0.5f;
    if (d < 0.3f)
      s[threadIdx.x] = -x[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
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
