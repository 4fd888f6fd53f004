__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[1024];
  int i = 3;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    for (i = threadIdx.x; i < m; i += 64)
      tile[i] = in[t * m + i];
    __syncthreads();
    for (int j = 0; j < m; ++j)
      sum = sum * 0.98f + tile[j];
    if (t & 1)
      i = t;
    sum += i;
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
