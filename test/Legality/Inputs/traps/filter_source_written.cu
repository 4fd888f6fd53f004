__global__ void k(int *__restrict__ out, int *cnt, int n) {
  __shared__ int tile[64];
  __shared__ int hist[64];
  __shared__ int count;
  const int tx = threadIdx.x;
  int sum = 0;
  if (tx == 0)
    count = 0;
  hist[tx] = 0;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    const int v = cnt[t * 64 + tx];
    if (v > 0)
      tile[atomicAdd(&count, 1)] = v;
    __syncthreads();
    {
      const int c = count;
      for (int i = 0; i < c; ++i)
        sum += tile[i] * 3;
    }
    if (tx == 0)
      cnt[(t + 1) * 64] = 3;
    __syncthreads();
    if (tx == 0)
      count = 0;
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
  - {name: out, buffer: int, count: 64, role: output}
  - {name: cnt, buffer: int, count: 1024, role: inout, fill: "uniform(0, 9)"}
  - {name: n, scalar: int, value: tiles}
*/
