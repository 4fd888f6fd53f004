// Nothing in the loop writes what it waits for.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, float *error, int tiles) {
  __shared__ float s[64];
  float x = 1.f;
  while (blockIdx.x > 0 && error[blockIdx.x - 1] > 0.1f)
    __threadfence();
  {
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
      s[threadIdx.x] = in[(blockIdx.x * tiles + t) * 64 + threadIdx.x];
      __syncthreads();
      sum += s[63 - threadIdx.x];
      __syncthreads();
    }
    x = x * 0.5f + sum;
    if (threadIdx.x == 0)
      error[blockIdx.x] = 0;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = x;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: error, buffer: float, count: 2, role: inout, fill: "value(1)"}
  - {value: tiles}
*/
