// The value has the index behind its step in it.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int at = i;
  for (int t = 0; t < tiles; ++t) {
    float g = in[at];
    at += 64;
    g += at;
    tile[i] = g;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63] * g;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
