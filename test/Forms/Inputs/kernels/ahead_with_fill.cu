// Zero outside, by if and else; two tiles in one loop.
__global__ void k(const float *__restrict__ x, const float2 *__restrict__ z, float *__restrict__ y, int n, int d, int m) {
  extern __shared__ float s[];
  __shared__ float2 u[2048];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x, e = d; i < e; i += blockDim.x) {
      if (t * d + i < m)
        s[i] = x[t * d + i];
      else
        s[i] = 0.0f;
      u[i] = t * d + i < m ? z[t * d + i] : make_float2(1.0f, 2.0f);
    }
    __syncthreads();
    for (int j = 0; j < d; ++j)
      sum = sum * 0.5f + s[j] * u[j].x - u[j].y;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
shared: 701 * 4
arguments:
  - {name: x, buffer: float, count: 'n * 701 + 1', role: input}
  - {name: z, buffer: float2, count: 'n * 701 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: d, scalar: int, value: '701'}
  - {name: m, scalar: int, value: 'max(0, n * 701 - 300)'}
*/
