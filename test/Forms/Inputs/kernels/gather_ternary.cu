// Rows that are left out have an index behind the last one: the condition needs what was loaded.
__global__ void k(const int *__restrict__ rows, const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int r = rows[t * 64 + tx];
    tile[tx] = r < n ? in[r] : 0.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: rows, buffer: int, count: tiles * 64, role: input, fill: "uniform(0, 300)"}
  - {name: in, buffer: float, count: 200, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: n, scalar: int, value: 200}
*/
