__global__ void k(float *__restrict__ out, int *cnt, int n) {
  __shared__ float tile[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  cnt[tx] = tx * 3;
  for (int t = 0; t < n; ++t) {
    for (int i = tx; i < 128; i += 64)
      tile[i] = 0.f;
    __syncthreads();
    tile[tx] = cnt[63 - tx] + t;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.98f + tile[i];
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
  - {name: out, buffer: float, count: 64, role: output}
  - {name: cnt, buffer: int, count: 1024, role: inout, fill: "uniform(0, 2)"}
  - {name: n, scalar: int, value: tiles}
*/
