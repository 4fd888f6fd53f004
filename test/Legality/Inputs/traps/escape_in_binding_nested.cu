// A part of what is taken apart has the pointer.
struct Row { const float *at; int width; };
struct Rows { Row row; int count; };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ __align__(16) float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  auto [row, count] = Rows{{tile, 64}, 1};
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + row.at[row.width - count - tx];
    __syncthreads();
  }
  out[tx] = sum;
}

/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 64 * tiles + 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
