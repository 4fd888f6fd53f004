// Elsewhere, the function that is given the tile has no loop.
template <int M> __device__ float walk(const float *in, int n, float *s, float sum) {
  const int x = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    s[x] = in[t * 64 + x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.97f + s[i];
    __syncthreads();
  }
  return sum;
}
template <> __device__ float walk<1>(const float *in, int n, float *s, float sum) { return 5.f; }
template <int M> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0.f;
  sum = walk<M>(in, n, s, sum);
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
template __global__ void k<0>(const float *, float *, int);
/* launch
kernel: "k<1>"
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: (n + 2) * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
/* elsewhere
template __global__ void k<1>(const float *, float *, int);
*/
