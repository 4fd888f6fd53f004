// Results are collected in a volatile array, and a third barrier stands between those of one turn and the next.
__global__ void k(const long long *__restrict__ in, long long *__restrict__ out, int tiles) {
  __shared__ volatile long long tile[64], found[64];
  const int i = threadIdx.x;
  long long sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
    found[i] = -1;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      if (tile[j] % 64 == i)
        found[j] = i + t;
    __syncthreads();
    if (found[i] >= 0)
      sum += found[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: long long, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: long long, count: 128, role: output}
  - {value: tiles}
*/
