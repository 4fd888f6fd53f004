// The number of a page is needed by the compute phase, too, and the elements are of a class: assigned by an operator.
__global__ void k(const int *__restrict__ pages, const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int page = pages[t];
    tile[tx] = in[page * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i].x * tile[63 - i].z + float(page);
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
  - {name: pages, buffer: int, count: tiles, role: input, fill: "uniform(0, 4)"}
  - {name: in, buffer: float4, count: 5 * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/

// LDG: in[page * 64 + tx];
// LDG: const int page = pages[t];
