// What the second call, which has less, leaves alone, the first one has written.
__device__ float turns(const float *__restrict__ in, int n, float acc) {
  __shared__ float tile[64];
  for (int begin = 0; begin < n; begin += 64) {
    if (begin + threadIdx.x < n)
      tile[threadIdx.x] = in[begin + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc = acc * 0.5f + tile[j];
    __syncthreads();
  }
  return acc;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  float acc = turns(in, tiles * 64, 0.f);
  out[blockIdx.x * 64 + threadIdx.x] = turns(in, tiles * 64 - 5, acc);
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: (tiles * 64 + 64) * 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
