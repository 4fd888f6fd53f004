struct Ref { int *p; __device__ Ref &operator<<(int &x) { p = &x; return *this; } };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.f;
  int tx = threadIdx.x;
  Ref r;
  int n = 64;
  r << n;
  *r.p = 128;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tx; i < n; i += 64) tile[i] = in[(t * 64 + i) % (64 * tiles)];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 127];
    __syncthreads();
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
