__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[1024];
  __shared__ float other[1024];
  const int turns = (m + 63) / 64;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    int at = threadIdx.x;
    for (int i = 0; i < turns; ++i) {
      if (at < m)
        tile[at] = in[t * m + at];
      at += 64;
    }
    if (t & 1)
      at = threadIdx.x;
    for (int i = 0; i < turns; ++i) {
      if (at < m)
        other[at] = in[at];
      at += 64;
    }
    __syncthreads();
    for (int j = 0; j < m; ++j)
      sum = sum * 0.98f + tile[j];
    for (int j = 0; j < m; ++j)
      sum += other[j];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, m: 1}, {tiles: 1, m: 33}, {tiles: 2, m: 640}, {tiles: 5, m: 900}, {tiles: 3, m: 64}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * m * 2 + 2048, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
  - {name: m, scalar: int, value: m}
*/
