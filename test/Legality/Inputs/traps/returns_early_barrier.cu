// The text has the loop and its barriers in it, behind a return that all threads of the block take, or none.
__device__ void walk(const float *__restrict__ a, float *__restrict__ out, int n, float *s, int part) {
  if (part >= 2)
    return;
  float sum = part;
  if (n < 0) { out[threadIdx.x] = -1; return; }
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) returns_early_barrier(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  walk(a, out, n, s, blockIdx.x);
  if (blockIdx.x == 2)
    out[128 + threadIdx.x] = n;
}
/* launch
kernel: returns_early_barrier
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 3
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 192, role: output}
  - {value: n}
*/
