// Where it is called its name means another one.
__device__ int skew(int r, int c) { return r * 32 + (c ^ 3); }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[256];
  const int i = threadIdx.y * 32 + threadIdx.x;
  float acc = 0;
  constexpr auto f = &skew;
  for (int t = 0; t < n; ++t) {
    int skew = 1;
    s[f(threadIdx.y, threadIdx.x)] = in[t * 256 + i];
    s[f(threadIdx.y, threadIdx.x) + 128] = in[t * 256 + 128 + i] + skew;
    __syncthreads();
    for (int q = 0; q < 256; q += 3)
      acc = acc * 0.5f + s[(q + i) & 255];
    __syncthreads();
  }
  out[blockIdx.x * 128 + i] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 2
block: [32, 4]
arguments:
  - {name: in, buffer: float, count: n * 256 + 512, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: n, scalar: int, value: n}
*/
