__global__ void k(const int *__restrict__ in, int *__restrict__ out, int n) {
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
    if (atomicAdd(&count, 1) > 70)
      continue;
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    {
      const int c = count;
      for (int i = 0; i < c; ++i)
        sum += tile[i] * 3;
    }
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
  - {name: in, buffer: int, count: tiles * 128 + 1024, role: input, fill: "uniform(-20, 20)"}
  - {name: out, buffer: int, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
*/
