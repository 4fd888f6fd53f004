__constant__ float cst[64] = {1.f, 2.f, 3.f};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float v = cst[tx];
    if (t & 1) v = in[t * 64 + tx];
    s[tx] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
