static __global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 256 + threadIdx.x];
    if (t % 2 == 0)
      part[threadIdx.x + 128] = x[t * 256 + 128 + threadIdx.x];
    __syncthreads();
    int at = 0;
    for (int i = 0;; sum += part[at] * (i + 1), ++i) {
      if (i == 128)
        break;
      at = 1;
      if (i & 1) {
        at = 200;
        continue;
      }
      sum *= 0.5f;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { k<<<1, 128>>>(x, y, tiles); }
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
