struct Ref { int *p; __device__ void bind(int &x) { p = &x; } __device__ int get() const { return *p; } };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  int off = 0;
  Ref r;
  r.bind(off);
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[off + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 63] * r.get();
    __syncthreads();
    off += 64;
  }
  out[blockIdx.x * 64 + tx] = sum;
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
