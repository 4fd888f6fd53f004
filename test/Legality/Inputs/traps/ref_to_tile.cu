struct Tile { float a[64]; float b[64]; };
__device__ const Tile &same(const Tile &t) { return t; }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Tile tile;
  float sum = 0.0f;
  const Tile *last = nullptr;
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x < 64)
      tile.a[threadIdx.x] = x[t * 128 + threadIdx.x];
    else
      tile.b[threadIdx.x - 64] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile.a[i] * (i + 1) + tile.b[i];
    if (last)
      sum += last->a[5] * 100;
    last = &same(tile);
    __syncthreads();
  }
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
  - {value: tiles}
*/
