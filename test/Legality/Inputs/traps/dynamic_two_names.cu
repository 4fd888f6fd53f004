// Two dynamic arrays are one piece of memory: what is behind the tile by one name is the other's.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float s[];
  extern __shared__ int counts[];
  float acc = 0.f;
  counts[64 + threadIdx.x] = threadIdx.x * 3;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    acc = acc * 0.5f + s[63 - threadIdx.x] + counts[64 + (threadIdx.x ^ 3)];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
shared: 512
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
