__global__ void k(const int *__restrict__ col, const float *__restrict__ val, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  __shared__ float other[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = tx; i < 128; i += 64)
      tile[i] = 0.f;
    other[tx] = 1.f;
    other[tx + 64] = 2.f;
    __syncthreads();
    tile[col[t * 64 + tx] * 64 + tx] = val[t * 64 + tx];
    __syncthreads();
    other[(col[t * 64 + tx] << 6) + tx] = val[t * 64 + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.98f + tile[i];
    for (int i = 0; i < 128; ++i)
      sum += other[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 9}]
grid: 1
block: 64
arguments:
  - {name: col, buffer: int, count: tiles * 128 + 1024, role: input, fill: "uniform(0, 2)"}
  - {name: val, buffer: float, count: tiles * 128 + 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
*/
