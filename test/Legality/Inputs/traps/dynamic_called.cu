// A function that the compute phase calls names the dynamic array itself: it knows of one stage.
extern __shared__ float s[];
__device__ float partner(int i) { return s[i ^ 5]; }
__global__ void k(const float *__restrict__ in, float *out, int n) {
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    acc = acc * 0.5f + s[63 - threadIdx.x] + partner(threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
shared: 256
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
