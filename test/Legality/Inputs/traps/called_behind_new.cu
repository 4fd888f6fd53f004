__device__ float gx[512];
__device__ void part(int n, float *__restrict__ y, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = gx[t * 64 + tx + n];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.97f + tile[i];
    __syncthreads();
  }
  y[n + tx] = sum;
}
struct T { int v; static __device__ void *operator new(size_t, void *p) noexcept { return p; } };
__device__ int go(float *y) { part(0, y, 0); return 1; }

__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  const int tx = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    gx[i * 64 + tx] = x[i * 64 + tx];
  __syncthreads();
  int c = 1;
  T room{0};
  T *q = new (tx < 32 ? &room : nullptr) T{go(y)};
  c += q ? q->v : 3;
  __shared__ int s[64];
  s[tx] = c + tx;
  __syncthreads();
  y[128 + tx] = s[tx ^ 32];

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
