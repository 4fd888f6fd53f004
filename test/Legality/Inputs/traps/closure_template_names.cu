// The closure's parameter has the name of a template parameter of the kernel, and so has what it has a copy of.
__device__ void load(const float *a, float *s, unsigned t) {
  unsigned Step = t + 1;
  auto put = [Step, s](unsigned Tile, const float *a) { s[Tile] = a[Step + Tile] + Step; };
  put(threadIdx.x, a);
  ++Step;
  put(threadIdx.x + 64, a + Step);
}
template <int Step, unsigned Tile>
__global__ void __launch_bounds__(64) closure_template_names(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  __shared__ float s[128];
  float sum = 0;
  for (unsigned t = 0; t < n; t += 128) {
    load(a, s, t);
    __syncthreads();
    for (unsigned j = 0; j < 128; ++j)
      sum = sum * 0.5f + s[j] * (j ^ threadIdx.x) + Tile - Step;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void closure_template_names<1, 0>(const float *, float *, unsigned);
/* elsewhere
template __global__ void closure_template_names<3, 7>(const float *, float *, unsigned);
*/
/* launch
kernel: closure_template_names<3, 7>
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 384}, {n: 896}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 2 * n + 256, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
