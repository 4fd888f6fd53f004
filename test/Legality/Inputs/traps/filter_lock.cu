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
    tile[tx] = in[t * 64 + tx];
    if (tx == 0) {
      while (atomicCAS(&hist[0], 0, 1) != 0) {
      }
      hist[0] = 0;
    }
    __syncthreads();
    sum += tile[63 - tx];
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
