// A scan of the tile in place, step by step.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float carry = 0.0f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = x[t * 64 + threadIdx.x];
    for (int d = 1; d < 64; d *= 2) {
      __syncthreads();
      float v = threadIdx.x >= d ? s[threadIdx.x - d] : 0.0f;
      __syncthreads();
      s[threadIdx.x] += v;
    }
    y[t * 64 + threadIdx.x] = s[threadIdx.x] + carry;
    __syncthreads();
    carry += s[63];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n * 64 + 1', role: input}
  - {name: y, buffer: float, count: 'n * 64 + 1', role: output}
  - {name: n, scalar: int, value: n}
*/
