// One constant is stored to several tiles in one statement, also where an else has no braces.
__global__ void k(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int n) {
  __shared__ float sx[128], sy[128], sz[128], sw[128];
  float sum = 0.f;
  for (int base = 0; base < n; base += 128) {
    for (int t = threadIdx.x; t < 128; t += 64) {
      const int j = base + t;
      if (j < n) {
        sx[t] = x[j];
        sy[t] = y[j];
      } else
        sx[t] = sy[t] = 1.f;
      sw[t] = (sz[t] = 0);
    }
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum = sum * 0.5f + sx[(j + threadIdx.x) & 127] * sy[j] + sz[j] * sw[j] - 1;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 128}, {n: 300}, {n: 640}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: n + 1, role: input}
  - {name: y, buffer: float, count: n + 1, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
