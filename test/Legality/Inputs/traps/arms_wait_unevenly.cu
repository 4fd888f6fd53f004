__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int c) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    if (t < c) {
      tile[tx] = a[t * 64 + tx];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.98f + tile[(i + tx) & 63];
      __syncthreads();
      sum += tile[63 - tx];
      __syncthreads();
    } else {
      tile[tx] = b[t * 64 + tx];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.97f - tile[(i * 3 + tx) & 63];
      __syncthreads();
    }
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 9}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: tiles * 64 + 1024, role: input}
  - {name: b, buffer: float, count: tiles * 64 + 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
  - {name: c, scalar: int, value: 3}
*/
