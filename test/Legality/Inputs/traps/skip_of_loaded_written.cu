__global__ void k(const float *__restrict__ in, float *__restrict__ out, int *cnt, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    const int s = cnt[0];
    float x = in[t * 64 + tx];
    if (s > 0) {
      tile[tx] = x;
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.98f + tile[(i + tx) & 63];
      if (tx == 0)
        cnt[0] = t & 1;
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
  - {name: cnt, buffer: int, count: 256, role: inout, fill: "uniform(-2, 3)"}
  - {name: n, scalar: int, value: tiles}
*/
