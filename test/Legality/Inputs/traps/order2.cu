__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    int j = tx;
    tile[j++] = t * 64 + j < n ? in[t * 64 + j] : 0.f;
    __syncthreads();
    sum = sum * 0.5f + tile[tx];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, n: 0}, {tiles: 1, n: 64}, {tiles: 2, n: 100}, {tiles: 3, n: 192}, {tiles: 7, n: 400}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: n, scalar: int, value: n}
*/
