// Two calls, with other objects: what is in the tile is another call's.
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
struct Params { const float *A, *B; float *C; int n; };
__device__ void run(const Params &p, int row, int col) {
    __shared__ float As[32][32], Bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    float acc = 0;
    for (int t = 0; t < p.n; t += 32) {
      As[ty][tx] = p.A[row * p.n + t + tx];
      Bs[ty][tx] = p.B[(t + ty) * 64 + col];
      __syncthreads();
      for (int k = 0; k < 32; ++k)
        acc += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
    p.C[row * 64 + col] = acc;
}
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  Params p{A, B, C, n};
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  if (n > 100) run(Params{A, B, C, n - 32}, row, col); else run(p, row, col);
}
