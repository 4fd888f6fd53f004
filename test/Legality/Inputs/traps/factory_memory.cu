__device__ int where[128];
__device__ auto adder(int v) { return [v](int w) { return v + w; }; }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  where[threadIdx.x] = 0;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[adder(where[127 - threadIdx.x] * 128)(threadIdx.x)];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    where[threadIdx.x] = t + 1;
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
globals:
  - {name: where, type: int, fill: value(0)}
*/
