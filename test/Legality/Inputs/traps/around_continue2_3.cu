// options: --stages=3
__global__ void k(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i) sum += part[i] * (i + 1);
    __syncthreads();
  }
  d[255 - threadIdx.x] = sum * 1e-6f; if (r == 0) continue; __syncthreads(); }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: 16384, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {name: d, buffer: float, count: 2048, role: inout}
  - {value: tiles}
*/
