// Elsewhere, an overload fills the tile.
__device__ void fill(float *s, const float *p, int x, float) { s[x] = p[x]; }
__device__ void fill(float *s, const float *p, int x, int) { s[x ^ 3] = p[x]; }
template <class T> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    fill(s, in + t * 64, x, T());
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.97f + s[(x + i) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
template __global__ void k<float>(const float *, float *, int);
/* launch
kernel: "k<int>"
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: (n + 2) * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
/* elsewhere
template __global__ void k<int>(const float *, float *, int);
*/
