/* launch
kernel: rows
cases: [{R: 3, N: 2, S: 98304}, {R: 1, N: 3, S: 98304}, {R: 2, N: 0, S: 98304}, {R: 4, N: 1, S: 20000}, {R: 2, N: 5, S: 73728}]
grid: [1]
block: [256]
new_shared: S
arguments:
  - {name: A, buffer: float, count: 6 * 4096, role: input}
  - {name: B, buffer: float, count: 6 * 6144, role: input}
  - {name: out, buffer: float, count: 256 * 4, role: output}
  - {name: rows, value: R}
  - {name: n, value: N}
*/
// Two tile loops take turns.
template <int W>
__global__ void __launch_bounds__(256) rows(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int rows, int n) {
  __shared__ float one[4096];
  __shared__ float two[W];
  for (int r = 0; r < rows; ++r) {
    float sum = float(r);
    for (int t = 0; t < n; ++t) {
      for (int i = threadIdx.x; i < 4096; i += 256)
        one[i] = A[t * 4096 + i];
      __syncthreads();
      for (int i = 0; i < 4096; i += 61)
        sum = sum * 0.99f + one[(i + threadIdx.x * 7) % 4096];
      __syncthreads();
    }
    for (int t = n; t > 0; --t) {
      for (int i = threadIdx.x; i < W; i += 256)
        two[i] = B[(t - 1) * W + i];
      __syncthreads();
      for (int i = 0; i < W; i += 97)
        sum = sum * 0.99f + two[(i + threadIdx.x * 5) % W];
      __syncthreads();
    }
    out[r * 256 + threadIdx.x] = sum;
  }
}
template __global__ void rows<6144>(const float *__restrict__, const float *__restrict__, float *__restrict__, int, int);
