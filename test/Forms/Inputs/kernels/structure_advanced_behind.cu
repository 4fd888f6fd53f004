struct View { int off; const float *p; __device__ float get(int i) const { return p[off + i]; } __device__ const float &ref(int i) const { return p[off + i]; } __device__ void next() { off += 128; } __device__ float take(int i) { float v = p[off + i]; off += 128; return v; } };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  View v{0, in};
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = v.get(blockIdx.x * 64 + tx);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
    v.off += 128;
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
