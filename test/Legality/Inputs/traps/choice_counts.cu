// the condition counts
__device__ inline float blend(float a, float b) { return a * 0.25f + b * 0.75f; }
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, const int *__restrict__ order, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; t += 64) {
    const int at = t + tx;
    int count = 0;
    const float both = (++count, at < n) ? blend(a[at], b[at]) : 0.f;
    tile[tx] = both + count;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 130}, {n: 200}, {n: 449}]
grid: 2
block: 64
arguments:
  - {name: a, buffer: float, count: n + 128, role: input}
  - {name: b, buffer: float, count: n + 128, role: input}
  - {name: order, buffer: int, count: n + 128, role: input, fill: 'uniform(0, n + 1)'}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
