// Two dimensions, the first one open, and rows that are padded.
#define T 16
__global__ void __launch_bounds__(T * T) k(const float *__restrict__ A, float *C, int n) {
  extern __shared__ float s[][T + 1];
  float sum = 0.f;
  int t = 0;
  while (t < n) {
    s[threadIdx.y][threadIdx.x] = A[(t * blockDim.y + threadIdx.y) * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < blockDim.y; ++i)
      sum = sum * 0.9f + s[i][threadIdx.x];
    __syncthreads();
    ++t;
  }
  C[threadIdx.y * T + threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0, y: 4}, {n: 1, y: 4}, {n: 2, y: 3}, {n: 5, y: 16}]
grid: 1
block: [16, y]
shared: 17 * 4 * y
arguments:
  - {buffer: float, count: 16 * y * n + 1, role: input}
  - {buffer: float, count: 16 * y, role: output}
  - {value: n}
*/
