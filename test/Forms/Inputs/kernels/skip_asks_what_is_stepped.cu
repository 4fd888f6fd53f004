__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int at = 0;
  for (int t = 0; t < n; ++t) {
    at += 64;
    if ((at & 64) == 0) {
      tile[tx] = in[at + tx];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.98f + tile[(i + tx) & 63];
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
  - {name: in, buffer: float, count: tiles * 128 + 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
*/
