// The place of the stores changes by another name.
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[256];
  const int i = threadIdx.x;
  float sum = 0.f;
  float4 r[4];
  int at = 0, *to = &at;
  for (int t = 0; t < tiles; ++t) {
    for (int j = 0; j < 4; ++j) r[j] = in[t * 256 + j * 64 + i];
    *to = t & 64;
    for (int j = 0; j < 4; ++j) tile[j * 64 + i ^ at] = r[j];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j * 3 + i) & 255].y - tile[j].x;
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
  - {name: in, buffer: float4, count: tiles * 256, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
