__global__ void tiledGemm(int M, int N, int K, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out) {
  __shared__ float As[2][4];
  __shared__ float Bs[4][32];
  const int row = threadIdx.x / 32;
  const int col = threadIdx.x % 32;
  const int row0 = blockIdx.y * 2;
  const int col0 = blockIdx.x * 32;
  float result = 0.0f;
  for (int t = 0; t < K / 4; ++t) {
    __syncthreads();
    if (threadIdx.x < 2 * 4) {
      const int aR = threadIdx.x / 4;
      const int aC = threadIdx.x % 4;
      As[aR][aC] = A[(row0 + aR) * K + t * 4 + aC];
    }
    for (int i = threadIdx.x; i < 4 * 32; i += 64) {
      Bs[i / 32][i % 32] = B[(i / 32) * N + col0 + i % 32];
    }
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
      result += As[row][k] * Bs[k][col];
    }
    B += 4 * N;
  }
  out[(row0 + row) * N + col0 + col] = result;
}
// LDG: store_tile(stage ^ 1);
// LDG-NEXT: __syncthreads();
// LDG-NEXT: stage ^= 1;
// LDG-NEXT: }
/* launch
kernel: 'tiledGemm'
cases:
  - {K: 0, M: 2, N: 32}
  - {K: 4, M: 2, N: 32}
  - {K: 8, M: 4, N: 64}
  - {K: 20, M: 2, N: 32}
let:
  NT: 64
  BM: 2
  BN: 32
  BK: 4
grid: [ceildiv(N, BN), ceildiv(M, BM)]
block: [64]
arguments:
  - {name: M, scalar: int, value: M}
  - {name: N, scalar: int, value: N}
  - {name: K, scalar: int, value: K}
  - {name: A, buffer: float, count: M * K, role: input}
  - {name: B, buffer: float, count: N * K, role: input}
  - {name: out, buffer: float, count: M * N, role: output}
*/
