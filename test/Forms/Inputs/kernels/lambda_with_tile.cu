/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
// The lambda with the loop has tiles and constants of its own, and is called once, from turn to turn.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  const int tx = threadIdx.x;
  float sum = 0;
  auto part = [&](int from, int to) {
    static constexpr int W = 64;
    __shared__ float tile[W];
    for (int t = from; t < to; ++t) {
      __shared__ float side[W + 1];
      tile[tx] = in[t * W + tx];
      side[tx + 1] = in[t * W + 64 + tx];
      __syncthreads();
      for (int i = 0; i < W; ++i)
        sum = sum * 0.5f + tile[(tx + i) % W] * side[1 + i];
      __syncthreads();
    }
  };
  for (int round = 0; round < 2; ++round)
    part(round, tiles + round);
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
