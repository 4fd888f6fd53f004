// The place of one store depends on the index behind its step.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], other[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int at = i;
  for (int t = 0; t < tiles; ++t) {
    float a = 0.f, b = 0.f;
    if (at < tiles * 64) a = in[at];
    if (at >= 64) b = in[at - 64];
    at += 64;
    tile[i] = a;
    other[(at + 5) & 63] = b;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63] - other[j];
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
