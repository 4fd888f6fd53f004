__global__ void counts(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  int inside = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t * 128 + threadIdx.x < n) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      ++inside;
    } else {
      part[threadIdx.x] = 0.0f;
    }
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum * 1000 + inside;
}
/* launch
kernel: counts
cases: [{tiles: 0, n: 0}, {tiles: 1, n: 100}, {tiles: 2, n: 200}, {tiles: 5, n: 300}, {tiles: 7, n: 896}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: n, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: n}
*/
