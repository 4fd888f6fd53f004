__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[256];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float4 r[4];
    r[0] = in[t * 256 + i];
    r[1] = in[t * 256 + 64 + i];
    r[3] = in[t * 256 + 128 + i];
    r[2] = in[t * 256 + 192 + i];
    tile[i + 64] = r[1];
    tile[i] = r[0];
    tile[192 + i] = r[2];
    tile[128 + i] = r[3];
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
