// Those that did not come wait at another barrier.
template <typename T>
__device__ T nearest(T mine, const T *__restrict__ all, int tiles) {
  __shared__ T tile[64];
  T best = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = all[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      best = best * T(0.9) + (tile[i] - mine);
    __syncthreads();
  }
  return best;
}
template <typename T>
__global__ void k(const T *__restrict__ all, T *__restrict__ out, int tiles, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    out[i] = nearest<T>(all[i], all, tiles);
  __syncthreads();
}
void run(const float *a, float *b, const double *c, double *d, int tiles, int n) {
  k<float><<<2, 64>>>(a, b, tiles, n);
  k<double><<<2, 64>>>(c, d, tiles, n);
}
/* launch
kernel: k<float>
cases: [{tiles: 0, n: 128}, {tiles: 1, n: 128}, {tiles: 2, n: 64}, {tiles: 5, n: 64}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: tiles * 64 + 128, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: n}
---
kernel: k<double>
cases: [{tiles: 0, n: 128}, {tiles: 1, n: 128}, {tiles: 2, n: 64}, {tiles: 5, n: 64}]
grid: 2
block: 64
arguments:
  - {buffer: double, count: tiles * 64 + 128, role: input}
  - {buffer: double, count: 128, role: output}
  - {value: tiles}
  - {value: n}
*/
