__global__ void k(const int *__restrict__ rows, const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = rows[blockIdx.x]; t < rows[blockIdx.x + 1]; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 1}, {tiles: 2}, {tiles: 3}]
grid: tiles
block: 64
arguments:
  - {name: rows, buffer: int, count: tiles + 1, fill: index}
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: tiles * 64, role: output}
*/
