// Two buffers and one barrier: the next tile is stored in front of the compute phase.
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[2][16][16], Bs[2][16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.f;
  As[0][ty][tx] = A[row * n + tx];
  Bs[0][ty][tx] = B[ty * n + col];
  __syncthreads();
  for (int k = 0; k < n; k += 16) {
    const int cur = (k / 16) & 1, next = cur ^ 1;
    if (k + 16 < n) {
      As[next][ty][tx] = A[row * n + k + 16 + tx];
      Bs[next][ty][tx] = B[(k + 16 + ty) * n + col];
    }
    for (int j = 0; j < 16; ++j) sum += As[cur][ty][j] * Bs[cur][j][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}
