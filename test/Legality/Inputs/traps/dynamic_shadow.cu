// The parameter that says how much is used has its name hidden where the loop stands.
__global__ void k(const float *__restrict__ in, float *out, int n, int width) {
  extern __shared__ float s[];
  float acc = 0.f;
  const int w = width;
  {
    const int width = 1;
    for (int t = 0; t < n; t += width) {
      for (int i = threadIdx.x; i < w; i += 64)
        s[i] = in[t * w + i];
      __syncthreads();
      for (int i = 0; i < w; ++i)
        acc = acc * 0.5f + s[i] * width;
      __syncthreads();
    }
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0, w: 3}, {n: 1, w: 64}, {n: 2, w: 100}, {n: 5, w: 10}]
grid: 1
block: 64
shared: 4 * w
arguments:
  - {buffer: float, count: n * w + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
  - {value: w}
*/
