// The sum of two ends goes round, and the lower one goes down again.
__device__ int place(const float *a, int n, float x) {
  unsigned lo = 0, hi = n;
  while (lo < hi) {
    __threadfence();
    unsigned mid = (lo + hi) / 2;
    if (a[mid & 127] < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
__global__ void k(const float *__restrict__ in, const float *table, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  const int from = place(table, n, 0.5f);
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[(i + lane) & 63] * from;
    __syncthreads();
  }
  out[blockIdx.x * 64 + lane] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: table, buffer: float, count: 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {name: n, scalar: int, value: 100}
*/
