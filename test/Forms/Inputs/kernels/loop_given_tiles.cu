// The loop is in a function that is given the tiles, and where the sum goes.
template <int T>
__device__ void multiply(const float *A, const float *b, float (&As)[T][T], float (&Bs)[T][T], int K, int row, int col, float &acc) {
  // Along the inner dimension.
  for (int k0 = 0; k0 < K; k0 += T) {
    As[threadIdx.y][threadIdx.x] = A[row * K + k0 + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * 32 + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
}

__global__ void __launch_bounds__(256) gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[16][16], Second[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.f;
  multiply<16>(A, B, As, Second, K, row, col, sum);
  C[row * 32 + col] = sum;
}
/* launch
kernel: gemm
cases: [{K: 0}, {K: 16}, {K: 32}, {K: 80}]
grid: [2, 2]
block: [16, 16]
arguments:
  - {name: A, buffer: float, count: K * 32, role: input}
  - {name: B, buffer: float, count: K * 32, role: input}
  - {name: C, buffer: float, count: 1024, role: output}
  - {name: K, scalar: int, value: K}
*/

// LDG: { // multiply
// LDG-NOT: multiply<16>(
