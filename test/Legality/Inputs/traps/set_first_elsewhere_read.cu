// Another instantiation reads in a branch of its own what the turn before has set.
template <bool Keeps> __global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f, value;
  for (int t = 0; t < n; ++t) {
    if constexpr (Keeps) {
      if (t)
        sum += value;
    }
    value = in[t * 64 + tx] * 0.5f;
    tile[tx] = value;
    __syncthreads();
    value = tile[63 - tx];
    sum = sum * 0.5f + value;
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
  - {name: in, buffer: float, count: 64 * n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
