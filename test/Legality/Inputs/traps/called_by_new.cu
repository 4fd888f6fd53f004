__device__ float gx[512];
__device__ void part(int n, float *__restrict__ y) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < 4; ++t) {
    tile[tx] = gx[t * 64 + tx + n];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.97f + tile[i];
    __syncthreads();
  }
  y[n + tx] = sum;
}
struct T { int v; static __device__ void *operator new(size_t, int n, float *y) { part(n, y); return y + 200; } };

__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  const int tx = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    gx[i * 64 + tx] = x[i * 64 + tx];
  __syncthreads();
  if (tiles < 0) T::operator new(4, 0, y);
  new (0, y) T;
  if (tx >= 32) return;
  new (64, y) T;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 2048, role: input}
  - {name: y, buffer: float, count: 256, role: inout}
  - {value: tiles}
*/
