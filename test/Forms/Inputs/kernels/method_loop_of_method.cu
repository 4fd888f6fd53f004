/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}]
grid: [2, 2]
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 64 * N, role: input}
  - {name: B, buffer: float, count: 64 * N, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
struct Gemm {
  const float *A, *B;
  int n;
  __device__ float all(int row, int col) const { return run(row, col); }
  __device__ float run(int row, int col) const {
    __shared__ float As[32][32], Bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    float acc = 0;
    for (int t = 0; t < n; t += 32) {
      As[ty][tx] = A[row * n + t + tx];
      Bs[ty][tx] = B[(t + ty) * 64 + col];
      __syncthreads();
      for (int k = 0; k < 32; ++k)
        acc += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
    return acc;
  }
};
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  Gemm g{A, B, n};
  C[row * 64 + col] = g.all(row, col);
}
