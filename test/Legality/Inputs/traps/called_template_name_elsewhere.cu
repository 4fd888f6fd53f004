// The variable R of the function that fills the tile is 2, as the kernel's template parameter is here, and not elsewhere.
#define TWICE(x) (x * R)
__device__ void load(const float *a, float *s, unsigned t) {
  const unsigned R = 2;
  for (unsigned o = threadIdx.x; o < 64 * R; o += 64)
    s[o] = a[t + o] + R;
}
__device__ void other(const float *a, float *s, unsigned t) {
  const unsigned R = 2;
  for (unsigned o = threadIdx.x; o < TWICE(64); o += 64)
    s[o] = a[t + o] + R;
}
template <unsigned R, bool B>
__global__ void __launch_bounds__(64) called_template_name_elsewhere(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  __shared__ float s[128];
  float sum = 0;
  for (unsigned t = 0; t < n; t += 128) {
    load(a, s, t);
    __syncthreads();
    for (unsigned j = 0; j < 128; ++j)
      sum = sum * 0.5f + s[j] * (j ^ threadIdx.x) + R;
    __syncthreads();
  }
  for (unsigned t = 0; t < n; t += 128) {
    other(a, s, t);
    __syncthreads();
    for (unsigned j = 0; j < 128; ++j)
      sum = sum * 0.5f + s[j] * (j ^ threadIdx.x) + R;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void called_template_name_elsewhere<2, false>(const float *, float *, unsigned);
/* elsewhere
template __global__ void called_template_name_elsewhere<5, true>(const float *, float *, unsigned);
*/
/* launch
kernel: called_template_name_elsewhere<5, true>
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 384}, {n: 896}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
