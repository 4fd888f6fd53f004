__device__ int limit;
struct Limit { int n = limit; };
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    const Limit bound;
    for (int t = 0; t < tiles; ++t) {
      if ((int)threadIdx.x < bound.n)
        part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
    if (threadIdx.x == 0)
      limit -= 32;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: 16384, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
globals:
  - {name: limit, type: int, fill: value(128)}
*/
