/* launch
kernel: lastFirst
cases: [{N: 3, M: 2, S: 32768}, {N: 1, M: 3, S: 32768}, {N: 2, M: 2, S: 98304}, {N: 4, M: 1, S: 0}, {N: 0, M: 2, S: 98304}, {N: 5, M: 4, S: 65536}]
grid: [2]
block: [256]
new_shared: S
arguments:
  - {name: A, buffer: float, count: 2 * 6 * 4096, role: input}
  - {name: B, buffer: float, count: 2 * 6 * 6144, role: input}
  - {name: out, buffer: float, count: 2 * 256, role: output}
  - {name: n, value: N}
  - {name: m, value: M}
*/
// Behind the first loop the other warps may still be at its last tile, which the second one's stages would be on.
__global__ void __launch_bounds__(256) lastFirst(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n, int m) {
  __shared__ float keys[4096];
  __shared__ float values[6144];
  float sum = 0.0f;
  int t = 0;
  while (t < n) {
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += 256)
      keys[i] = A[(blockIdx.x * 6 + t) * 4096 + i];
    __syncthreads();
    for (int i = 0; i < 4096; i += 61)
      sum = sum * 0.99f + keys[(i + threadIdx.x * 7) % 4096];
    ++t;
  }
  for (int u = 0; u < m; ++u) {
    for (int i = threadIdx.x; i < 6144; i += 256)
      values[i] = B[(blockIdx.x * 6 + u) * 6144 + i];
    __syncthreads();
    for (int i = 0; i < 6144; i += 97)
      sum = sum * 0.99f + values[(i + threadIdx.x * 5) % 6144];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
