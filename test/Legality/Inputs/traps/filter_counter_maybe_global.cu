__global__ void k(const int *__restrict__ in, int *__restrict__ out, int *cnt, int n) {
  __shared__ int tile[64];
  __shared__ int hist[64];
  __shared__ int count;
  const int tx = threadIdx.x;
  int sum = 0;
  if (tx == 0)
    count = 0;
  hist[tx] = 0;
  __syncthreads();
  int *p = n > 1 ? &count : cnt;
  for (int t = 0; t < n; ++t) {
    const int v = in[t * 64 + tx];
    tile[tx] = v;
    atomicAdd(p, 1);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
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
  - {name: cnt, buffer: int, count: 1024, role: inout, fill: "uniform(0, 9)"}
  - {name: n, scalar: int, value: tiles}
*/
