// The end is loaded, and the tile loop asks for it, too.
struct Sizes { int rows, n; };
__global__ void k(const float *__restrict__ x, const Sizes *__restrict__ p, float *__restrict__ y) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int t = 0; t < p->n; t += 64) {
    for (int i = threadIdx.x; i < 64 && t + i < p->n; i += 32)
      s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < min(64, p->n - t); ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 1}]
grid: 1
block: 32
arguments:
  - {name: x, buffer: float, count: 400, role: input}
  - name: p
    buffer: int
    count: 2
    role: input
    fill: "uniform(200, 201)"
  - {name: y, buffer: float, count: 32, role: output}
*/
