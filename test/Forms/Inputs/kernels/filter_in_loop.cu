__global__ void k(const int *__restrict__ in, int *__restrict__ out, int n, int m) {
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
    for (int i = tx; i < m * 20 + 200; i += 64) {
      const int v = in[t * 64 + i];
      if (v > 16) {
        int at = atomicAdd(&count, 1);
        if (at < 64)
          tile[at] = v;
      }
    }
    __syncthreads();
    sum += count;
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
  - {name: m, scalar: int, value: 30}
*/
