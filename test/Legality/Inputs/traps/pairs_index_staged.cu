// The second load needs what the first has staged.
__global__ void k(const float *__restrict__ Kp, const float *__restrict__ Vp, float *__restrict__ out, int tiles) {
  __shared__ float a[64];
  __shared__ float b[64];
  float sum = 0.f, x = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    a[tx] = Kp[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + a[(i + tx) & 63];
    __syncthreads();
    b[tx] = Vp[t * 64 + (int(a[tx] * 0.f) + tx)];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      x = x * 0.9f + b[(i + tx) & 63] * sum;
    __syncthreads();
  }
  out[tx] = x;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: Kp, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: Vp, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 64, role: inout}
  - {name: tiles, scalar: int, value: tiles}
*/
