// Elements that no thread of a small block writes are read, others that a turn before has written, too.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    if (t == 0 || threadIdx.x % 2 == 0)
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      acc = acc * 0.5f + tile[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: (tiles * 64 + 64) * 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
