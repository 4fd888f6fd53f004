// options: --block-size=128 --assume=block-size
__device__ float src[1024];
__device__ float tiled() {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 6; ++t) {
    part[(threadIdx.x + t * 64) & 127] = src[t * 128 + threadIdx.x];
    __syncthreads();
    if (t > 0)
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
    __syncthreads();
  }
  return sum;
}
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  if (threadIdx.x >= 64)
    return;
  y[threadIdx.x] = tiled();
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
globals:
  - {name: src, type: float, fill: uniform(-1, 1)}
*/
