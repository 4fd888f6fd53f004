// What is left is an int, the thread's number is not: when nothing is left, all threads store and none reads.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float s[64];
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int left = min(64, n - t * 64);
    if (threadIdx.x < left)
      s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < left; ++i)
      acc = acc * 0.5f + s[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0, n: 0}, {tiles: 1, n: 5}, {tiles: 2, n: 100}, {tiles: 3, n: 64}, {tiles: 5, n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 320, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: n, scalar: int, value: n}
*/
