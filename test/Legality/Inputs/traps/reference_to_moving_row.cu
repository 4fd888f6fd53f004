// The reference is bound anew in each turn, by an index that changes under another name.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[2][64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int row = 0;
  const int &now = row;
  tile[1][tx] = 0.25f * tx;
  for (int t = 0; t < tiles; ++t) {
    auto &line = tile[now];
    line[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[row ^ 1][(tx + i) % 64];
    __syncthreads();
    row ^= 1;
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
