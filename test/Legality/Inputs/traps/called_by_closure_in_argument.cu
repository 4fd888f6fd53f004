// options: --extra-arg=-std=c++20
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
template <class T = decltype([](int n, float *y) { part(n, y); })> __device__ void go(int n, float *y) { T{}(n, y); }

__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  const int tx = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    gx[i * 64 + tx] = x[i * 64 + tx];
  __syncthreads();
  part(0, y);
  if (tx >= 32) return;
  go(64, y);

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
