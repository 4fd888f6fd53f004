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
  if (tx == 0) {
    cnt[7] = 5;
    __threadfence_block();
    atomicExch(&hist[3], 1);
  }
  for (int t = 0; t < n; ++t) {
    int f = atomicAdd(&hist[3], 0);
    const int w = cnt[7];
    tile[tx] = f ? w : 5;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
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
