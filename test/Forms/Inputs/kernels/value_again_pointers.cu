// Two numbers, by way of pointers that the load phase advances and of a function that only reads.
__device__ int first(const int *p, int n) { return __ldg(p) % n; }
__global__ void k(const int *blocks, const int *ends, const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  const int *p = blocks;
  for (int t = 0; t < tiles; ++t) {
    const int b = first(p, 5), end = ends[t] & 63;
    ++p;
    tile[tx] = tx < end ? in[b * 64 + tx] : 0.f;
    __syncthreads();
    for (int i = 0; i < end; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    sum += b;
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
  - {name: blocks, buffer: int, count: tiles, role: input, fill: "uniform(0, 1000)"}
  - {name: ends, buffer: int, count: tiles, role: input, fill: "uniform(0, 1000)"}
  - {name: in, buffer: float, count: 5 * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
