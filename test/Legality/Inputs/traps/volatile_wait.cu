// A warp waits for the other one by a volatile number, and finds what that has written for it.
__global__ void k(float *in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  __shared__ volatile int turn;
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    if (i == 32) {
      in[t * 64 + 64] = sum;
      __threadfence_block();
      turn = t + 1;
    }
    while (i == 0 && turn != t + 1)
      ;
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
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
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
