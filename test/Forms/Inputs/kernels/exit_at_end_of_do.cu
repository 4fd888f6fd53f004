/* launch
kernel: gemm
cases: [{N: 0}, {N: 32}, {N: 64}, {N: 160}]
grid: [2, 2]
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 64 * N + 64, role: input}
  - {name: B, buffer: float, count: 64 * N + 4096, role: input}
  - {name: C, buffer: float, count: 64 * 64, role: output}
  - {name: n, value: N}
*/
// The loop leaves behind the last tile, or after so many.
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[32][32], Bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float acc = 0;
  int t = 0, turns = 4;
  if (n > 0)
    do {
    As[ty][tx] = A[row * n + t + tx];
    Bs[ty][tx] = B[(t + ty) * 64 + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
    t += 32;
    if (t >= n) break;
  } while (--turns);
  C[row * 64 + col] = acc;
}

// LDG: } while (t < n && --turns);
