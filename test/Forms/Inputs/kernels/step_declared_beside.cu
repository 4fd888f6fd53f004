// The last part of the step is the compute phase's own, and reads what is not.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64]; float sum = 0.f; const int lane = threadIdx.x;
  for (int t = 0, u = 0; t < tiles; ++t, u += t) {
    tile[lane] = in[t * 64 + lane]; tile[lane + 32] = in[t * 64 + lane + 32];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[(i + lane) & 63]; sum += u;
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
  - {name: in, buffer: float, count: tiles * 64, role: inout}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
