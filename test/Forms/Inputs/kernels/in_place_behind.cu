__device__ float a[6 * 64 + 1];
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  for (int t = 0; t < 6; ++t)
    a[t * 64 + threadIdx.x] = in[t * 64 + threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = a[t * 64 + threadIdx.x];
    __syncthreads();
    const float v = s[63 - threadIdx.x];
    __syncthreads();
    a[t * 64 + (threadIdx.x ^ 1)] = v;
  }
  __syncthreads();
  for (int t = 0; t < n; ++t)
    out[t * 64 + threadIdx.x] = a[t * 64 + threadIdx.x];
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 384, role: input}
  - {name: out, buffer: float, count: n * 64 + 1, role: output}
  - {name: n, scalar: int, value: n}
*/
