struct View { int stride; const float *p; };
__device__ View part(View v, int r) { View s; s.stride = v.stride; s.p = &v.p[r * v.stride]; return s; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  View v = {128, in};
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    View s = part(v, t); tile[tx] = s.p[blockIdx.x * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
// LDG: View s = part(v, t); tile_reg = s.p[blockIdx.x * 64 + tx];
// ASYNC: View s = part(v, t); __pipeline_memcpy_async(&tile[tx],
// ASYNC-NEXT: &s.p[blockIdx.x * 64 + tx], sizeof(float));
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
