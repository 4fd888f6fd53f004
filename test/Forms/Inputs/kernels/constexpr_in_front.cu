template <bool Checks> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0;
  int guard;
  for (int t = 0; t < n; ++t) {
    if constexpr (Checks) {
      guard = 0;
      for (int i = 0; i < 2; ++i)
        guard |= int(x + i > t) << i;
    } else {
      guard = 1;
    }
    __syncthreads();
    s[x] = guard & 1 ? in[t * 128 + x] : 0;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.75f + s[j];
  }
  out[blockIdx.x * 64 + x] = sum;
}
template __global__ void k<true>(const float *, float *, int);
template __global__ void k<false>(const float *, float *, int);
/* launch
kernel: k<true>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 128 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
