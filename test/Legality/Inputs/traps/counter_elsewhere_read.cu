// Another instantiation reads behind the loops what they have counted to.
template <bool Keeps> __global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[256];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int i;
  for (int t = 0; t < n; ++t) {
    for (i = tx; i < 256; i += 64)
      tile[i] = in[t * 256 + i];
    __syncthreads();
    for (i = 0; i < 200; i += 3)
      sum = sum * 0.5f + tile[(i + tx) & 255];
    if constexpr (Keeps)
      sum += i;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
template __global__ void k<false>(const float *, float *, int);

/* elsewhere
template __global__ void k<true>(const float *, float *, int);
*/
/* launch
kernel: k<true>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 256 * n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
