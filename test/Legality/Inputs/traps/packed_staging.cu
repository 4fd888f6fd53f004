struct alignas(4) __attribute__((packed)) S { char c; float f; char d[3]; };
__global__ void k(const S *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    S v = x[t * 128 + threadIdx.x];
    part[threadIdx.x] = v.f;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
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
  - {name: x, buffer: "bytes:8", count: 1024, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
*/
