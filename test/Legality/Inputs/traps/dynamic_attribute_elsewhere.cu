// Whose attribute is set cannot be seen: no launch asks for more.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float s[];
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    acc = acc * 0.5f + s[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
void launch(const float *a, float *b, int n, const void *which) {
  cudaFuncSetAttribute(which, cudaFuncAttributeMaxDynamicSharedMemorySize, 400);
  k<<<1, 64, 256>>>(a, b, n);
}
// LDG: cudaFuncSetAttribute(which, cudaFuncAttributeMaxDynamicSharedMemorySize, 400);
// LDG-NEXT: k<<<1, 64, 256>>>(a, b, n);
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
