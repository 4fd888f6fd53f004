__global__ void k(const float *__restrict__ val, float *__restrict__ out, int *cnt, int n) {
  __shared__ float tile[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = tx; i < 128; i += 64)
      tile[i] = 0.f;
    __syncthreads();
    tile[tx] = val[t * 64 + tx] + cnt[tx];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.98f + tile[i];
    cnt[tx] = t;
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
  - {name: val, buffer: float, count: tiles * 128 + 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: cnt, buffer: int, count: 1024, role: inout, fill: "uniform(0, 2)"}
  - {name: n, scalar: int, value: tiles}
*/
