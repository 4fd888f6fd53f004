// The attribute is the limit of what a launch may ask for: it grows with the launches, or nothing does.
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
__global__ void other(const float *__restrict__ in, float *out, int n) {
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
void launch(const float *a, float *b, int n, int bytes) {
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
  k<<<1, 64, 256>>>(a, b, n);
  k<<<1, 64, 60000>>>(a, b, n);
  cudaFuncSetAttribute(other, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  other<<<1, 64, 256>>>(a, b, n);
}
// LDG: cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * 60000);
// LDG-NEXT: k<<<1, 64, 2 * 256>>>(a, b, n);
// LDG-NEXT: k<<<1, 64, 2 * 60000>>>(a, b, n);
// LDG-NEXT: cudaFuncSetAttribute(other, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
// LDG-NEXT: other<<<1, 64, 256>>>(a, b, n);
/* launch
kernel: k
cases: [{n: 0, S: 256}, {n: 1, S: 256}, {n: 2, S: 60000}, {n: 5, S: 60000}]
grid: 1
block: 64
shared: S
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
---
kernel: other
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
shared: 256
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
