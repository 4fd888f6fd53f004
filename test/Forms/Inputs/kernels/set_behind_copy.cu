// what the compute phase asks is set by the load phase, and used behind the loop
struct Row { float best; int from; };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float lanes[4] = {0.f, 1.f, 2.f, 3.f};
  Row row = {0.f, -1};
  bool odd = false;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    odd = (t ^ tx) & 1;
    row.best = -1e30f;
    row.from = t;
    for (int i = 0; i < 4; ++i)
      lanes[i] = lanes[i] * 0.5f + i;
    __syncthreads();
    for (int i = odd; i < 64; i += 2)
      row.best = fmaxf(row.best, tile[i]);
    sum = sum * 0.75f + row.best * row.from + lanes[t & 3];
    lanes[tx & 3] += tile[tx & 31];
    __syncthreads();
    sum += odd ? row.best : lanes[1];
  }
  out[blockIdx.x * 64 + tx] = sum + row.from + lanes[2] + (odd ? 1.f : 0.f);
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
