// register load for compute in the load phase
__global__ void k(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    // The weights of the row.
    float scale = 0.f; // grows
    for (int i = 0; i < 4; ++i) scale += w[t * 4 + i];
    tile[tx] = in[t * 64 + tx];
    float twice = scale * 2; // of that
    const int half = t / 2; if (half & 1) scale = 1.f; scale *= 3.f; twice = scale;
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63] * twice + half;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: w, buffer: float, count: tiles * 4, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
