__global__ void k(float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  int tx = threadIdx.x;
  float last = 0.f;
  for (float acc = 0.f, *p = in; p < in + tiles * 64; p += 64) {
    tile[tx] = p[tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + tile[(i + tx) & 63];
    last = acc;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = last;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
