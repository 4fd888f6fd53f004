// The last part of the step is the compute phase's own, and reads what is not.
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[256]; float sum = 0.f; const int lane = threadIdx.x;
  int ph = 0;
  for (int t = 0; t < tiles; ++t, ph = t & 1) {
    for (int i = lane; i < 256; i += 32) tile[i] = in[t * 256 + i];
    __syncthreads();
    for (int i = 0; i < 256; ++i) sum += ph ? tile[(i + lane) & 255].x : tile[i].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + lane] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: float4, count: tiles * 256, role: inout}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
