__device__ void seat(const float *&p, const float *q) { p = q; }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = x;
  const float *&name = from;
  seat(name, y);
  y[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    y[(t + 1) * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: 16384, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
*/
