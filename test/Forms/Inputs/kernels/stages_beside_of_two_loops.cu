/* launch
kernel: pair
cases: [{N: 3, M: 2, S: 32768}, {N: 1, M: 3, S: 32768}, {N: 2, M: 2, S: 98304}, {N: 4, M: 1, S: 0}, {N: 0, M: 2, S: 98304}, {N: 5, M: 4, S: 49152}]
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
// Each loop has stages behind what static shared memory can hold: they are in the same bytes, and no barrier of the kernel
// stands between the last tile of the one and the first of the other.
__global__ void __launch_bounds__(256) pair(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n, int m) {
  __shared__ float first[4096];
  __shared__ float second[6144];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 4096; i += 256)
      first[i] = A[(blockIdx.x * 6 + t) * 4096 + i];
    __syncthreads();
    for (int i = 0; i < 4096; i += 61)
      sum = sum * 0.99f + first[(i + threadIdx.x * 7) % 4096];
    __syncthreads();
  }
  for (int t = 0; t < m; ++t) {
    for (int i = threadIdx.x; i < 6144; i += 256)
      second[i] = B[(blockIdx.x * 6 + t) * 6144 + i];
    __syncthreads();
    for (int i = 0; i < 6144; i += 97)
      sum = sum * 0.99f + second[(i + threadIdx.x * 5) % 6144];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
void launch(const float *A, const float *B, float *out, int n, int m) {
  pair<<<2, 256>>>(A, B, out, n, m);
}
