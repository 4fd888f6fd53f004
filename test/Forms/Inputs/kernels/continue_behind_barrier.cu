// Threads without work go on to the next tile behind the last barrier.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  const bool active = blockIdx.x * 64 + tx < 100;
  float sum = 0.f, most = 0.f;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    // They were needed for the load alone.
    if (!active) {
      continue;
    }
    for (int i = 0; i < 64; ++i) {
      if (tile[i] < -0.5f)
        continue;
      sum = sum * 0.5f + tile[(i + tx) & 63];
    }
    if (sum <= most) {
      most *= 0.75f; // it ages
      continue;
    }
    const float above = sum - most;
    most += above * 0.5f;
  }
  if (active)
    out[blockIdx.x * 64 + tx] = sum + most;
  else
    out[blockIdx.x * 64 + tx] = 0.f;
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
