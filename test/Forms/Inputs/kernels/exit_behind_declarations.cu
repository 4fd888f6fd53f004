/* launch
kernel: k
cases: [{tiles: 0, most: 4}, {tiles: 1, most: 1}, {tiles: 2, most: 0}, {tiles: 3, most: 2}, {tiles: 6, most: 9}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: most}
*/
// What stands in front of the exit does nothing; what is said in it stays.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int most) {
  const int tx = threadIdx.x;
  float sum = 0;
  int turn = 0;
  for (int t = 0; t < tiles; ++t) {
    __shared__ float tile[64];
    __shared__ float pair[2][64], third[64];
    if (turn >= most) { // no more than that
      break; /* and no less */
    }
    tile[tx] = in[t * 64 + tx];
    pair[1][tx] = in[t * 64 + 64 + tx];
    pair[0][tx] = in[t * 64 + 128 + tx];
    third[tx] = in[1024 + t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64] * pair[i & 1][i] - third[i];
    ++turn;
    __syncthreads();
  }
  while (true) {
    __shared__ float last[64];
    last[tx] = in[turn * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; i += 3)
      sum = sum * 0.5f + last[(tx + i) % 64];
    ++turn;
    __syncthreads();
    if (!(turn < most)) {
      break; // one by one
    }
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n, int most) { k<<<2, 64>>>(in, out, n, most); }
