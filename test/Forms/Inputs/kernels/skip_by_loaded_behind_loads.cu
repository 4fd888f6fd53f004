__global__ void k(const float *__restrict__ in, const int *__restrict__ on, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    const int s = on[t];
    float x = in[t * 64 + tx];
    if (s > 0) {
      tile[tx] = x;
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
  - {name: on, buffer: int, count: tiles * 128 + 1024, role: input, fill: "uniform(-1, 2)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
*/
