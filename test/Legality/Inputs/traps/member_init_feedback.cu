__device__ float carry[128];
struct Carried { float v = carry[127 - threadIdx.x]; };
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float more[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    more[threadIdx.x] = c.v;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1) + more[i];
    carry[threadIdx.x] = sum;
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
  - {name: carry, type: float, fill: uniform(-1, 1)}
*/
